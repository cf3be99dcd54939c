// SPDX-License-Identifier: GPL-3.0-or-later
// The history of edits: steps, undo and redo, one edit per place.
#include <gtest/gtest.h>

#include "core/lowering/edit_history.h"

namespace plumbline {
namespace {

using Edits = std::vector<Edit>;

const Edit kField = FieldEdit{3, 10, 5};
const Edit kFieldAgain = FieldEdit{3, 10, 9};
const Edit kOtherField = FieldEdit{3, 11, 5};
const Edit kOtherRecord = FieldEdit{4, 10, 5};
const Edit kByte = ByteEdit{"weights", 16, 1};
const Edit kByteAgain = ByteEdit{"weights", 16, 2};
const Edit kRelocation = RelocationEdit{3, {0, 1, "arena", 64}};
const Edit kRelocationAgain = RelocationEdit{3, {0, 1, "weights", 0}};

TEST(EditHistory, BeginsEmpty) {
    EditHistory history;
    EXPECT_FALSE(history.canUndo());
    EXPECT_FALSE(history.canRedo());
    history.undo();
    history.redo();
    EXPECT_TRUE(history.current().empty());
    history.push({});
    EXPECT_FALSE(history.canUndo());
}

TEST(EditHistory, GoesBackAndForthByStep) {
    EditHistory history;
    history.push({kField, kByte});
    history.push({kRelocation});
    EXPECT_EQ(history.current(), (Edits{kField, kByte, kRelocation}));
    history.undo();
    EXPECT_EQ(history.current(), (Edits{kField, kByte}));
    EXPECT_TRUE(history.canUndo());
    EXPECT_TRUE(history.canRedo());
    history.undo();
    EXPECT_TRUE(history.current().empty());
    EXPECT_FALSE(history.canUndo());
    history.redo();
    history.redo();
    EXPECT_EQ(history.current(), (Edits{kField, kByte, kRelocation}));
    EXPECT_FALSE(history.canRedo());
}

TEST(EditHistory, AWithdrawnStepCannotBeDoneAgain) {
    EditHistory history;
    history.withdraw();
    EXPECT_TRUE(history.current().empty());
    history.push({kField});
    history.push({kByte});
    history.push({kRelocation});
    history.undo();
    history.withdraw(); // the second; the third was undone
    EXPECT_FALSE(history.canRedo());
    EXPECT_EQ(history.current(), Edits{kField});
    history.withdraw();
    EXPECT_FALSE(history.canUndo());
    EXPECT_FALSE(history.canRedo());
}

TEST(EditHistory, NewStepForgetsUndoneOnes) {
    EditHistory history;
    history.push({kField});
    history.push({kByte});
    history.undo();
    history.push({kRelocation});
    EXPECT_FALSE(history.canRedo());
    EXPECT_EQ(history.current(), (Edits{kField, kRelocation}));
    history.clear();
    EXPECT_FALSE(history.canUndo());
    EXPECT_TRUE(history.current().empty());
}

TEST(EditHistory, KeepsTheLastEditOfAPlace) {
    EditHistory history;
    history.push({kField});
    history.push({kByte, kRelocation, kByteAgain});
    history.push({kFieldAgain});
    history.push({kRelocationAgain});
    EXPECT_EQ(history.current(), (Edits{kByteAgain, kFieldAgain, kRelocationAgain}));
    history.undo();
    history.undo();
    EXPECT_EQ(history.current(), (Edits{kField, kRelocation, kByteAgain}));
}

TEST(EditHistory, TellsPlacesApart) {
    EXPECT_TRUE(isSamePlace(kField, kFieldAgain));
    EXPECT_TRUE(isSamePlace(kByte, kByteAgain));
    EXPECT_TRUE(isSamePlace(kRelocation, kRelocationAgain));
    EXPECT_FALSE(isSamePlace(kField, kOtherField));
    EXPECT_FALSE(isSamePlace(kField, kOtherRecord));
    EXPECT_FALSE(isSamePlace(kField, kRelocation));
    EXPECT_FALSE(isSamePlace(kByte, Edit(ByteEdit{"params", 16, 1})));
    EXPECT_FALSE(isSamePlace(kByte, Edit(ByteEdit{"weights", 17, 1})));
}

} // namespace
} // namespace plumbline
