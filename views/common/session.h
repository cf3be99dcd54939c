// SPDX-License-Identifier: GPL-3.0-or-later
// The open document and the one selection that all views share.
#pragma once

#include <vector>

#include <QObject>
#include <QString>

#include "core/document/document.h"
#include "core/lowering/selection.h"

namespace plumbline {

/// What the graph and the cost bars are coloured by.
enum class Heat : std::uint8_t { None, Cycles, Macs, DmaBytes, ArenaBytes, Mismatches };

/// The value that `heat` shows for an operator of `document`; 0 for None and for mismatches of a
/// layer that was not compared.
std::int64_t heatValue(const Document& document, const LoweredOperator& op, Heat heat);

/// Lives in the GUI thread. Views read it and call select(); nothing else connects them.
class Session : public QObject {
    Q_OBJECT

  public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    /// Never null: an empty document at first.
    const DocumentPtr& document() const { return m_document; }
    const Lowering& lowering() const { return *m_document->lowering; }
    /// Replaces the document. A later stage of the same opening, and a reload, keep the selection
    /// and its history as far as their places still exist.
    enum class Keep { Nothing, Selection };
    void setDocument(DocumentPtr document, Keep keep);

    const Selection& selection() const { return m_selection; }
    /// What the selection means in the document; empty with an empty selection.
    const Place& place() const { return m_place; }
    /// Selects and remembers it in the history. False, with refused() emitted, when there is no
    /// such place; the selection then stays.
    bool select(const Selection& selection);
    /// The same for an address text (selection.h).
    bool selectAddress(const QString& address);
    QString address() const;

    bool canGoBack() const { return m_current > 0; }
    bool canGoForward() const { return m_current + 1 < m_history.size(); }
    void goBack();
    void goForward();
    /// Selects the record `delta` records away, counting from the selected operator's.
    void stepRecord(int delta);
    /// Selects the next mismatch in execution order (`direction` > 0) or the one before, counting
    /// from the selection. noticed() says that it went round, or that there is none.
    void stepMismatch(int direction);
    /// Selects the culprit's first mismatch; noticed() says when there is no culprit.
    void selectCulprit();

    const QString& filterText() const { return m_filterText; }
    /// Applies a filter (docs/filter.md); empty text shows everything. False, with `problem` set,
    /// when the text is no filter; the one before then stays.
    bool setFilter(const QString& text, QString* problem = nullptr);
    bool passesFilter(std::int64_t operatorIndex) const;
    std::size_t passingCount() const; ///< operators that pass

    /// What the document is compared with: what was chosen, else an experiment's original; null
    /// where there is neither.
    const DocumentPtr& comparedWith() const {
        return m_compared ? m_compared : m_document->original;
    }
    /// Chooses it, for this document and later ones; null takes the choice back.
    void setComparedWith(DocumentPtr document);

    /// Asks for an experiment with these edits added to the ones in force, as one step that can be
    /// undone. Views do not run anything; the window does, and sets the document.
    void requestEdits(std::vector<Edit> edits);

    Heat heat() const { return m_heat; }
    void setHeat(Heat heat);

  signals:
    void documentChanged();
    void selectionChanged();
    void filterChanged();
    void heatChanged();
    void comparedChanged(); ///< by setComparedWith; another document says so itself
    void editsRequested(const std::vector<plumbline::Edit>& edits);
    void refused(const QString& why);  ///< an address or a selection that does not exist
    void noticed(const QString& what); ///< a remark on what was just done, for the status bar
    void historyChanged();

  private:
    bool apply(const Selection& selection);
    void applyFilter();

    DocumentPtr m_document;
    DocumentPtr m_compared;
    Selection m_selection;
    Place m_place;
    std::vector<Selection> m_history;
    std::size_t m_current = 0;
    QString m_filterText;
    std::vector<bool> m_passes; ///< empty: everything passes
    Heat m_heat = Heat::None;
};

} // namespace plumbline
