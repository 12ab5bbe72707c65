// Loads a TorchScript archive without Python, and runs it on saved inputs.
//
//   tslint_native --version
//   tslint_native ARCHIVE SEED GRAD EVENTS LIBRARIES [INPUTS OUTPUT]...
//
// GRAD is "grad" if gradients are recorded. LIBRARIES are files to load first, one per line. INPUTS is the file of a
// tuple of arguments, as torch.save writes it. The structure of an output is written to OUTPUT.json; its tensors are
// written to OUTPUT.pt, as one tuple. Each step is written to the file EVENTS, on a line of its own: "preparing" for
// each library, "loading", "running 0", "running 1". The last line is "done"; after an error, it is "raised", and the
// message follows on more lines (exit status 1).

// Not torch/script.h, which includes much more than is needed here, and so takes longer to compile.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torch/version.h>

#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#ifndef _WIN32
#include <dlfcn.h>
#endif

namespace {

void load(const std::string& library) {
#ifdef _WIN32
  throw std::runtime_error("libraries are not loaded on Windows: " + library);
#else
  if (!dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
    throw std::runtime_error(dlerror());
  }
#endif
}

std::vector<char> read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw std::runtime_error("cannot read " + path);
  }
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// A pickle does not contain element types: give containers those that forward declares.
c10::IValue typed(const c10::IValue& value, const c10::TypePtr& type) {
  if (auto optional = type->cast<c10::OptionalType>()) {
    return value.isNone() ? value : typed(value, optional->getElementType());
  }
  if (auto list = type->cast<c10::ListType>()) {
    if (value.isList()) {
      c10::impl::GenericList made(list->getElementType());
      for (const c10::IValue& item : value.toListRef()) {
        made.push_back(typed(item, list->getElementType()));
      }
      return made;
    }
  }
  if (auto dict = type->cast<c10::DictType>()) {
    if (value.isGenericDict()) {
      c10::impl::GenericDict made(dict->getKeyType(), dict->getValueType());
      for (const auto& item : value.toGenericDict()) {
        made.insert(typed(item.key(), dict->getKeyType()), typed(item.value(), dict->getValueType()));
      }
      return made;
    }
  }
  if (auto tuple = type->cast<c10::TupleType>()) {
    if (value.isTuple() && value.toTupleRef().elements().size() == tuple->elements().size()) {
      std::vector<c10::IValue> items;
      for (size_t i = 0; i < tuple->elements().size(); ++i) {
        items.push_back(typed(value.toTupleRef().elements()[i], tuple->elements()[i]));
      }
      return tuple->schema() ? c10::IValue(c10::ivalue::Tuple::createNamed(std::move(items), tuple))
                             : c10::IValue(c10::ivalue::Tuple::create(std::move(items)));
    }
  }
  if (type->kind() == c10::TypeKind::FloatType && value.isInt()) {
    return static_cast<double>(value.toInt());
  }
  return value;
}

void quote(std::ostream& out, const std::string& text) {
  out << '"';
  for (char raw : text) {
    unsigned char c = static_cast<unsigned char>(raw);
    if (c == '"' || c == '\\') {
      out << '\\' << raw;
    } else if (c < 0x20) {
      out << "\\u00" << std::hex << std::setw(2) << std::setfill('0') << static_cast<int>(c) << std::dec;
    } else {
      out << raw;
    }
  }
  out << '"';
}

// As text, so that infinities and all digits are kept.
void number(std::ostream& out, double value) {
  std::ostringstream digits;
  digits << std::setprecision(17) << value;
  quote(out, digits.str());
}

void describe(std::ostream& out, const c10::IValue& value, std::vector<c10::IValue>& tensors);

template <typename Items>
void sequence(std::ostream& out, const char* kind, const Items& items, std::vector<c10::IValue>& tensors) {
  out << "{\"kind\": \"" << kind << "\", \"items\": [";
  bool first = true;
  for (const c10::IValue& item : items) {
    out << (first ? "" : ", ");
    first = false;
    describe(out, item, tensors);
  }
  out << "]}";
}

void describe(std::ostream& out, const c10::IValue& value, std::vector<c10::IValue>& tensors) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    out << "{\"kind\": \"tensor\", \"value\": " << tensors.size()
        << ", \"requires_grad\": " << (tensor.requires_grad() ? "true" : "false") << "}";
    tensors.emplace_back(tensor.detach());
  } else if (value.isNone()) {
    out << "{\"kind\": \"None\", \"value\": null}";
  } else if (value.isBool()) {
    out << "{\"kind\": \"bool\", \"value\": " << (value.toBool() ? "true" : "false") << "}";
  } else if (value.isInt()) {
    out << "{\"kind\": \"int\", \"value\": " << value.toInt() << "}";
  } else if (value.isDouble()) {
    out << "{\"kind\": \"float\", \"value\": ";
    number(out, value.toDouble());
    out << "}";
  } else if (value.isComplexDouble()) {
    out << "{\"kind\": \"complex\", \"value\": [";
    number(out, value.toComplexDouble().real());
    out << ", ";
    number(out, value.toComplexDouble().imag());
    out << "]}";
  } else if (value.isString()) {
    out << "{\"kind\": \"str\", \"value\": ";
    quote(out, value.toStringRef());
    out << "}";
  } else if (value.isDevice()) {
    out << "{\"kind\": \"device\", \"value\": ";
    quote(out, value.toDevice().str());
    out << "}";
  } else if (value.isTuple()) {
    sequence(out, "tuple", value.toTupleRef().elements(), tensors);
  } else if (value.isList()) {
    sequence(out, "list", value.toListRef(), tensors);
  } else if (value.isGenericDict()) {
    out << "{\"kind\": \"dict\", \"items\": [";
    bool first = true;
    for (const auto& item : value.toGenericDict()) {
      out << (first ? "[" : ", [");
      first = false;
      describe(out, item.key(), tensors);
      out << ", ";
      describe(out, item.value(), tensors);
      out << "]";
    }
    out << "]}";
  } else {
    out << "{\"kind\": \"object\", \"type\": ";
    quote(out, value.tagKind());
    out << "}";
  }
}

void run(const std::string& archive, uint64_t seed, const std::string& inputs, const std::string& output) {
  // Loaded anew for each set of inputs: a call may change the module's state.
  torch::jit::Module module = torch::jit::load(archive);
  std::vector<c10::IValue> arguments = torch::jit::pickle_load(read(inputs)).toTupleRef().elements().vec();
  const auto& declared = module.get_method("forward").function().getSchema().arguments();
  for (size_t i = 0; i < arguments.size() && i + 1 < declared.size(); ++i) {
    arguments[i] = typed(arguments[i], declared[i + 1].type());
  }
  at::manual_seed(seed);
  c10::IValue result = module.forward(arguments);
  std::vector<c10::IValue> tensors;
  std::ofstream structure(output + ".json");
  describe(structure, result, tensors);
  std::vector<char> data = torch::jit::pickle_save(c10::ivalue::Tuple::create(std::move(tensors)));
  std::ofstream(output + ".pt", std::ios::binary).write(data.data(), static_cast<std::streamsize>(data.size()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--version") {
    std::cout << TORCH_VERSION << std::endl;
    return 0;
  }
  if (argc < 6) {
    std::cerr << "usage: tslint_native ARCHIVE SEED GRAD EVENTS LIBRARIES [INPUTS OUTPUT]..." << std::endl;
    return 2;
  }
  // A file, because the model may print to standard output; flushed after each line, so that a crash does not lose any.
  std::ofstream events(argv[4]);
  c10::AutoGradMode grad(std::string(argv[3]) == "grad");
  try {
    std::istringstream libraries(argv[5]);
    for (std::string library; std::getline(libraries, library);) {
      events << "preparing" << std::endl;
      load(library);
    }
    events << "loading" << std::endl;
    torch::jit::load(argv[1]);
    for (int i = 6; i + 1 < argc; i += 2) {
      events << "running " << (i - 6) / 2 << std::endl;
      run(argv[1], std::stoull(argv[2]), argv[i], argv[i + 1]);
    }
    events << "done" << std::endl;
    return 0;
  } catch (const c10::Error& error) {
    events << "raised" << std::endl << error.what_without_backtrace() << std::endl;
  } catch (const std::exception& error) {
    events << "raised" << std::endl << error.what() << std::endl;
  }
  return 1;
}
