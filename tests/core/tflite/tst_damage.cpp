// SPDX-License-Identifier: GPL-3.0-or-later
// What is said about files that are no well-formed flatbuffer: which part is the first damaged one
// and at which byte.
#include <gtest/gtest.h>

#include "core/tflite/damage.h"
#include "core/tflite/importer.h"
#include "tests/core/tflite/file_maker.h"

using namespace plumbline;
using test::byteOf;
using test::FileMaker;
namespace schema = tflite_schema;

namespace {

/// A file with every kind of part: tensors with names, constants, options, metadata.
Bytes soundFile() {
    FileMaker file;
    const std::vector<std::int32_t> shape{1, 2, 2, 8};
    const std::vector<float> scales{0.5F};
    const std::vector<std::int64_t> zeros{3};
    const auto quantization =
        schema::CreateQuantizationParametersDirect(file.fb, nullptr, nullptr, &scales, &zeros);
    const std::uint32_t data = file.addBuffer({1, 2, 3, 4, 5, 6, 7, 8});
    file.tensors.push_back(schema::CreateTensorDirect(file.fb, &shape, schema::TensorType::INT8, 0,
                                                      "first", quantization));
    file.addTensor({8}, data, schema::TensorType::INT8, "second");
    file.inputs = {0};
    file.outputs = {0};
    const std::vector<std::int32_t> in{0, 1};
    const std::vector<std::int32_t> out{0};
    const std::uint32_t code = file.addCode(0);
    file.addCode(32, "custom");
    const auto options =
        schema::CreateAddOptions(file.fb, schema::ActivationFunctionType::RELU, false);
    for (int i = 0; i < 2; ++i)
        file.operators.push_back(schema::CreateOperatorDirect(
            file.fb, code, &in, &out, schema::BuiltinOptions::AddOptions, options.Union()));
    file.metadata = {schema::CreateMetadataDirect(file.fb, "origin", data)};
    return file.bytes();
}

const schema::SubGraph& graphOf(const Bytes& file) {
    return *schema::GetModel(file.data())->subgraphs()->Get(0);
}

/// Where a table keeps the offset of one of its fields.
std::size_t fieldOf(const Bytes& file, const void* table, flatbuffers::voffset_t field) {
    return byteOf(file, static_cast<const flatbuffers::Table*>(table)->GetAddressOf(field));
}

std::size_t vtableOf(const Bytes& file, const void* table) {
    return byteOf(file, static_cast<const flatbuffers::Table*>(table)->GetVTable());
}

/// A way to damage the sound file. Returns the byte that the diagnostic must name.
struct DamageRow {
    const char* what;
    std::size_t (*damage)(Bytes& file);
    const char* part;
    const char* says;
};

std::size_t store(Bytes& file, std::size_t at, std::uint32_t value) {
    storeU32(file, at, value);
    return at;
}

std::size_t rootBehindTheEnd(Bytes& file) {
    return store(file, 0, static_cast<std::uint32_t>(file.size()));
}
std::size_t rootOfZero(Bytes& file) { return store(file, 0, 0); }
std::size_t rootMisaligned(Bytes& file) {
    store(file, 0, loadU32(file, 0) + 1);
    return 0;
}
std::size_t vtableBehindTheEnd(Bytes& file) {
    return store(file, byteOf(file, graphOf(file).tensors()->Get(1)), 0x80000001u);
}
std::size_t vtableBeforeTheStart(Bytes& file) {
    return store(file, byteOf(file, graphOf(file).tensors()->Get(1)), 0x7FFFFFF0u);
}
std::size_t vtableOfOddLength(Bytes& file) {
    const std::size_t at = vtableOf(file, &graphOf(file));
    file[at] = static_cast<std::uint8_t>(file[at] + 1);
    return at;
}
std::size_t vtableTooLong(Bytes& file) {
    const std::size_t at = vtableOf(file, &graphOf(file));
    file[at] = 0xFE;
    file[at + 1] = 0xFF;
    return at;
}
std::size_t tableBehindTheEnd(Bytes& file) {
    const auto* operators = graphOf(file).operators();
    return store(file, byteOf(file, operators->Data()) + 4, 0x00FFFFF0u);
}
std::size_t tableMisaligned(Bytes& file) {
    const auto* buffers = schema::GetModel(file.data())->buffers();
    const std::size_t at = byteOf(file, buffers->Data()) + 4;
    return store(file, at, loadU32(file, at) + 2);
}
std::size_t vectorTooLong(Bytes& file) {
    return store(file, byteOf(file, graphOf(file).operators()->Get(1)->inputs()), 100'000);
}
std::size_t vectorOfTablesTooLong(Bytes& file) {
    return store(file, byteOf(file, graphOf(file).tensors()), 0x40000000u);
}
std::size_t longElementsTooMany(Bytes& file) {
    return store(file, byteOf(file, graphOf(file).tensors()->Get(0)->quantization()->zero_point()),
                 0xFFFFFFFFu);
}
std::size_t offsetBehindTheEnd(Bytes& file) {
    return store(file,
                 fieldOf(file, graphOf(file).operators()->Get(1), schema::Operator::VT_OUTPUTS),
                 0x7FFFFFFFu);
}
std::size_t offsetNegative(Bytes& file) {
    return store(file,
                 fieldOf(file, graphOf(file).tensors()->Get(0), schema::Tensor::VT_QUANTIZATION),
                 0xFFFFFFF0u);
}
std::size_t textTooLong(Bytes& file) {
    return store(file, byteOf(file, graphOf(file).tensors()->Get(1)->name()), 1u << 30);
}
std::size_t textWithoutZero(Bytes& file) {
    const auto* text = schema::GetModel(file.data())->description();
    const std::size_t at = byteOf(file, text->Data()) + text->size();
    file[at] = 'x';
    return at;
}
std::size_t dataTooLong(Bytes& file) {
    return store(file, byteOf(file, schema::GetModel(file.data())->buffers()->Get(1)->data()),
                 1u << 20);
}
std::size_t unionTable(Bytes& file) {
    return store(file, byteOf(file, graphOf(file).operators()->Get(0)->builtin_options()),
                 0x7FFFFFF0u);
}
std::size_t customCode(Bytes& file) {
    const auto* code = schema::GetModel(file.data())->operator_codes()->Get(1);
    return store(file, byteOf(file, code->custom_code()), 0xFFFFFFFFu);
}
std::size_t metadataName(Bytes& file) {
    const auto* entry = schema::GetModel(file.data())->metadata()->Get(0);
    return store(file, fieldOf(file, entry, schema::Metadata::VT_NAME), 0);
}
/// Moves a scalar field of the table out of alignment by way of its vtable.
std::size_t scalarMisaligned(Bytes& file) {
    const auto* code = schema::GetModel(file.data())->operator_codes()->Get(1);
    const std::size_t field = fieldOf(file, code, schema::OperatorCode::VT_BUILTIN_CODE);
    const std::size_t slot = vtableOf(file, code) + schema::OperatorCode::VT_BUILTIN_CODE;
    file[slot] = static_cast<std::uint8_t>(file[slot] + 1);
    return field + 1;
}
/// The same, to a place behind the end.
std::size_t scalarBehindTheEnd(Bytes& file) {
    const auto* code = schema::GetModel(file.data())->operator_codes()->Get(1);
    const std::size_t slot = vtableOf(file, code) + schema::OperatorCode::VT_BUILTIN_CODE;
    file[slot] = 0xFC;
    file[slot + 1] = 0xFF;
    return byteOf(file, code) + 0xFFFC;
}

class Damage : public testing::TestWithParam<DamageRow> {};

} // namespace

TEST_P(Damage, isNamedWithPartAndByte) {
    Bytes file = soundFile();
    ASSERT_TRUE(importTflite(file).ok());
    const std::size_t byte = GetParam().damage(file);
    const Result<ModelPtr> model = importTflite(file);
    ASSERT_FALSE(model.ok());
    ASSERT_EQ(model.diagnostics().size(), 1u);
    const Diagnostic& error = model.diagnostics().front();
    EXPECT_EQ(error.code, Code::DamagedModel);
    EXPECT_EQ(error.where.part, GetParam().part);
    EXPECT_EQ(error.where.byte, byte);
    EXPECT_NE(error.message.find(GetParam().says), std::string::npos) << error.message;
}

INSTANTIATE_TEST_SUITE_P(
    Parts, Damage,
    testing::Values(
        DamageRow{"root_behind_the_end", rootBehindTheEnd, "model", "leads outside the file"},
        DamageRow{"root_of_zero", rootOfZero, "model", "leads outside the file"},
        DamageRow{"root_misaligned", rootMisaligned, "model", "not aligned to 4"},
        DamageRow{"vtable_behind_the_end", vtableBehindTheEnd, "subgraphs[0].tensors[1]",
                  "field list"},
        DamageRow{"vtable_before_the_start", vtableBeforeTheStart, "subgraphs[0].tensors[1]",
                  "field list"},
        DamageRow{"vtable_of_odd_length", vtableOfOddLength, "subgraphs[0]", "impossible length"},
        DamageRow{"vtable_too_long", vtableTooLong, "subgraphs[0]", "impossible length 65534"},
        DamageRow{"table_behind_the_end", tableBehindTheEnd, "subgraphs[0].operators[1]",
                  "lies outside the file"},
        DamageRow{"table_misaligned", tableMisaligned, "buffers[1]", "not aligned to 4"},
        DamageRow{"vector_too_long", vectorTooLong, "subgraphs[0].operators[1].inputs",
                  "100000 elements of 4 bytes"},
        DamageRow{"vector_of_tables_too_long", vectorOfTablesTooLong, "subgraphs[0].tensors",
                  "ends behind the file"},
        DamageRow{"long_elements_too_many", longElementsTooMany,
                  "subgraphs[0].tensors[0].quantization.zero_point", "of 8 bytes"},
        DamageRow{"offset_behind_the_end", offsetBehindTheEnd, "subgraphs[0].operators[1].outputs",
                  "leads outside the file"},
        DamageRow{"offset_negative", offsetNegative, "subgraphs[0].tensors[0].quantization",
                  "leads outside the file"},
        DamageRow{"text_too_long", textTooLong, "subgraphs[0].tensors[1].name",
                  "text of 1073741824 bytes"},
        DamageRow{"text_without_zero", textWithoutZero, "description", "no closing zero"},
        DamageRow{"data_too_long", dataTooLong, "buffers[1].data", "ends behind the file"},
        DamageRow{"union_table", unionTable, "subgraphs[0].operators[0].builtin_options",
                  "field list"},
        DamageRow{"custom_code", customCode, "operator_codes[1].custom_code",
                  "ends behind the file"},
        DamageRow{"metadata_name", metadataName, "metadata[0].name", "leads outside the file"},
        DamageRow{"scalar_misaligned", scalarMisaligned, "operator_codes[1].builtin_code",
                  "not aligned to 4"},
        DamageRow{"scalar_behind_the_end", scalarBehindTheEnd, "operator_codes[1].builtin_code",
                  "lies outside the file"}),
    [](const auto& row) { return row.param.what; });

TEST(NotTflite, tooShort) {
    for (std::size_t size = 0; size < 8; ++size) {
        const Result<ModelPtr> model = importTflite(Bytes(size, 'T'));
        ASSERT_FALSE(model.ok());
        EXPECT_EQ(model.diagnostics().front().code, Code::NotTflite);
        EXPECT_NE(model.diagnostics().front().message.find(std::to_string(size) + " bytes"),
                  std::string::npos);
    }
}

TEST(NotTflite, anotherIdentifierIsShown) {
    Bytes file = soundFile();
    file[7] = 0x01;
    const Result<ModelPtr> model = importTflite(file);
    ASSERT_FALSE(model.ok());
    const Diagnostic& error = model.diagnostics().front();
    EXPECT_EQ(error.code, Code::NotTflite);
    EXPECT_EQ(error.where.byte, 4u);
    EXPECT_NE(error.message.find("54464c01 (\"TFL.\")"), std::string::npos) << error.message;
}

TEST(NotTflite, bareIdentifierIsDamaged) {
    const Result<ModelPtr> model = importTflite({8, 0, 0, 0, 'T', 'F', 'L', '3'});
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.diagnostics().front().code, Code::DamagedModel);
    EXPECT_EQ(model.diagnostics().front().where.byte, 0u);
}

namespace {

/// Whatever the bytes: a model, or one error with a known code; a damaged file with part and byte.
void expectModelOrPlace(const Bytes& file, const std::string& what) {
    const Result<ModelPtr> model = importTflite(file);
    if (model.ok())
        return;
    ASSERT_EQ(model.diagnostics().size(), 1u) << what;
    const Diagnostic& error = model.diagnostics().front();
    ASSERT_EQ(error.severity, Severity::Error) << what;
    ASSERT_FALSE(error.message.empty()) << what;
    if (error.code == Code::DamagedModel) {
        ASSERT_FALSE(error.where.part.empty()) << what << ": " << error.message;
        ASSERT_TRUE(error.where.byte.has_value()) << what << ": " << error.message;
        ASSERT_LE(*error.where.byte, file.size() + 0xFFFF) << what;
        return;
    }
    ASSERT_TRUE(error.code == Code::NotTflite || error.code == Code::IndexOutOfRange ||
                error.code == Code::BadShape || error.code == Code::ModelTooLarge)
        << what << ": " << toText(error);
}

} // namespace

TEST(AnyBytes, everyPrefixIsAModelOrHasAPlace) {
    const Bytes sound = soundFile();
    for (std::size_t size = 0; size < sound.size(); ++size)
        expectModelOrPlace(Bytes(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size)),
                           "prefix of " + std::to_string(size));
}

TEST(AnyBytes, everyFlippedBitIsAModelOrHasAPlace) {
    Bytes file = soundFile();
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
        const auto mask = static_cast<std::uint8_t>(1u << bit % 8);
        file[bit / 8] ^= mask;
        expectModelOrPlace(file, "bit " + std::to_string(bit));
        file[bit / 8] ^= mask;
    }
}

TEST(AnyBytes, everyOverwrittenWordIsAModelOrHasAPlace) {
    const Bytes sound = soundFile();
    for (const std::uint32_t value : {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
        for (std::size_t at = 0; at + 4 <= sound.size(); ++at) {
            Bytes file = sound;
            storeU32(file, at, value);
            expectModelOrPlace(file, std::to_string(value) + " at " + std::to_string(at));
        }
    }
}

TEST(AnyBytes, seededNoiseBehindTheIdentifier) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Bytes file = seededBytes(seed, 16 + seed % 200);
        storeU32(file, 0, static_cast<std::uint32_t>(8 + 4 * (seed % 16)));
        storeU32(file, 4, 0x334C4654u); // "TFL3"
        expectModelOrPlace(file, "seed " + std::to_string(seed));
    }
}
