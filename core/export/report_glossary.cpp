// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the report, each in a sentence.
#include <array>
#include <utility>

#include "core/export/report_parts.h"

namespace plumbline::reporting {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array kGlossary{
    Entry{"Address", "What names a place in Plumbline: op/7 is operator 7, record/3/word/12 the "
                     "thirteenth word of record 3. All indices count from 0."},
    Entry{"Alias", "A tensor that shares another's storage, as the output of a RESHAPE does."},
    Entry{"Alone", "A verdict on one layer that is run on the reference's own inputs, so that "
                   "errors of earlier layers do not reach it."},
    Entry{"Arena", "The one memory that holds all activations of a run, each at its own offset "
                   "for as long as it is needed."},
    Entry{"As run", "A verdict on what a layer made in the whole run, with whatever the layers "
                    "before it left."},
    Entry{"Base", "The address at which a region begins in memory."},
    Entry{"Channel group", "The output channels that the lanes of the target make together."},
    Entry{"Contract", "The rules of the target, with their version: what records, packages and "
                      "arithmetic have to keep."},
    Entry{"CPU softmax", "The one step that runs on the processor: a softmax at the end of the "
                         "graph."},
    Entry{"Culprit", "The first layer that is wrong by itself, not because of its inputs."},
    Entry{"Declared bytes", "The span of memory that a record says it may access for an operand."},
    Entry{"Descriptor", "See record."},
    Entry{"Digest", "The SHA-256 of bytes: equal digests mean equal bytes."},
    Entry{"DMA bytes", "Bytes that move between memory and the target, by estimate."},
    Entry{"Fault", "Why a run stopped: a bad record (1), something unsupported (2), an address or "
                   "number out of range (3), or arithmetic that left its range (7)."},
    Entry{"Full K", "How many products or elements make one output element."},
    Entry{"Gather", "Reading the input elements that one tile needs, kernel position by kernel "
                    "position."},
    Entry{"Half buffer", "One half of an on-chip buffer; while one half is used the other is "
                         "filled."},
    Entry{"Hole", "Free bytes of the arena between live ones, below the highest address in use."},
    Entry{"K slice", "A part of the reduction that is done at once; partial sums carry over from "
                     "slice to slice."},
    Entry{"Lane", "One of the target's units that work side by side, each on a channel of its "
                  "own."},
    Entry{"Least possible arena", "The most bytes that are live at once: no plan can need less."},
    Entry{"MAC", "A multiply-accumulate; useful ones are those that the model asks for."},
    Entry{"Matched by", "How a layer of the reference was found: by operator index, by tensor "
                        "name, or by size."},
    Entry{"Packed A, packed W", "Activations and weights in the order in which the lanes take "
                                "them."},
    Entry{"Padding", "Of a kernel: positions outside the input, which read as its zero point. Of "
                     "the arena: bytes that round a buffer up to the alignment."},
    Entry{"Peak", "The highest address that the arena ever needs: its size."},
    Entry{"Placement", "Where an operator runs: npu (as a record), cpu-softmax, none (an alias "
                       "without work), or refused."},
    Entry{"Raw gather", "The gathered input of one tile before it is packed."},
    Entry{"Record", "What runs one operator on the target: a fixed number of words with its "
                    "addresses, geometry and parameters. Also called a descriptor."},
    Entry{"Reference", "What layers are compared with: this program's own kernels, digests, a "
                       "trace or dumps."},
    Entry{"Region", "A memory that addresses point into: arena, weights, params or descriptors."},
    Entry{"Relocation", "The note that a word of a record is an address: the base of a region is "
                        "added to the offset in the word before the job runs."},
    Entry{"Stray bytes", "Bytes of the arena outside its own tensor that a layer changed."},
    Entry{"Template", "A record before relocation; its addresses are offsets into regions."},
    Entry{"Tile", "A rectangle of output positions that is made at once; those at the edge may be "
                  "smaller."},
    Entry{"Touched bytes", "The bytes of an operand that a record really reads or writes."},
    Entry{"Zero point", "The integer that stands for 0: real = scale × (integer - zero point)."},
};

} // namespace

ReportSection glossarySection(const Source& /*source*/) {
    ReportSection section{"glossary", "Glossary", {}};
    ReportFacts facts{"terms", {}, {}};
    for (const auto& [term, meaning] : kGlossary)
        addFact(facts, term, meaning);
    section.blocks.emplace_back(std::move(facts));
    return section;
}

} // namespace plumbline::reporting
