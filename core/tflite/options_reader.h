// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes the options tables of the operators of spec section 2.
#pragma once

#include "core/graph/model.h"

namespace plumbline {

namespace tflite_schema {
struct Operator;
} // namespace tflite_schema

struct ReadOptions {
    OperatorOptions options;
    bool hasTable = false;
};

/// The options of `stored`, an operator of `kind` from a verified file. Kinds of
/// core/graph/options.h always give their own alternative, with the schema's defaults where the
/// file has no table of the kind's type; others give NoOptions, and hasTable then tells whether
/// there is any table.
ReadOptions readOptions(OperatorKind kind, const tflite_schema::Operator& stored);

} // namespace plumbline
