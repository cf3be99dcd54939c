// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/options.h"

namespace plumbline {

const char* paddingName(Padding padding) {
    switch (padding) {
    case Padding::Same:
        return "SAME";
    case Padding::Valid:
        return "VALID";
    }
    return "unknown";
}

const char* fusedActivationName(FusedActivation activation) {
    switch (activation) {
    case FusedActivation::None:
        return "NONE";
    case FusedActivation::Relu:
        return "RELU";
    case FusedActivation::ReluN1To1:
        return "RELU_N1_TO_1";
    case FusedActivation::Relu6:
        return "RELU6";
    case FusedActivation::Tanh:
        return "TANH";
    case FusedActivation::SignBit:
        return "SIGN_BIT";
    }
    return "unknown";
}

} // namespace plumbline
