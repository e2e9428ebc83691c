// SPDX-License-Identifier: Apache-2.0
// Signatures and docstrings of the native functions that users see. Source of the definitions:
// Python array API standard 2025.12; edge values are those of the op table.
#include <cstring>

#include "binding.hpp"

namespace device_api::binding {
namespace {

struct Doc {
    const char* name;
    const char* text;
};

#define UNARY_DOC(name, what) {name, name "(x, /)\n--\n\n" what}
#define BINARY_DOC(name, what)                                                                     \
    {name,                                                                                         \
     name "(x1, x2, /)\n--\n\n" what                                                               \
          "\n\nThe shapes broadcast (else ShapeError) and the types promote; one operand "         \
          "may be a\nPython scalar, which takes the array's type. DTypeError where the types "     \
          "have no meaning,\nDeviceMismatchError for operands on two devices."}

const Doc docs[] = {
    UNARY_DOC("negative", "Return -x (numeric); unsigned and the most negative integer wrap."),
    UNARY_DOC("abs", "Return the absolute value (numeric); the most negative integer stays."),
    UNARY_DOC("exp", "Return e to the power x (floating; integers as float32)."),
    UNARY_DOC("log", "Return the natural logarithm (floating; integers as float32).\n\n"
                     "log(0) is -inf, of negative numbers NaN."),
    UNARY_DOC("sqrt", "Return the square root (floating; integers as float32); NaN below 0."),
    UNARY_DOC("tanh", "Return the hyperbolic tangent (floating; integers as float32)."),
    UNARY_DOC("floor", "Return the largest whole number not above x (floating)."),
    UNARY_DOC("sign", "Return -1, 0 or 1 by the sign of x (numeric, same type); NaN of NaN."),
    UNARY_DOC("isnan", "Return whether each element is NaN (floating); bool result."),
    UNARY_DOC("logical_not", "Return the logical negation; bool result, numbers as 'not zero'."),
    BINARY_DOC("add", "Return x1 + x2 (numeric); integers wrap."),
    BINARY_DOC("subtract", "Return x1 - x2 (numeric); integers wrap."),
    BINARY_DOC("multiply", "Return x1 * x2 (numeric); integers wrap."),
    BINARY_DOC("divide", "Return x1 / x2 (floating; integers as float32)."),
    BINARY_DOC("maximum", "Return the larger one (numeric); NaN on either side gives NaN."),
    BINARY_DOC("minimum", "Return the smaller one (numeric); NaN on either side gives NaN."),
    BINARY_DOC("pow", "Return x1 to the power x2 (numeric); integers wrap."),
    BINARY_DOC("equal", "Return whether x1 == x2; bool result; NaN equals nothing."),
    BINARY_DOC("not_equal", "Return whether x1 != x2; bool result; NaN differs from everything."),
    BINARY_DOC("less", "Return whether x1 < x2 (numeric); bool result; false for NaN."),
    BINARY_DOC("less_equal", "Return whether x1 <= x2 (numeric); bool result; false for NaN."),
    BINARY_DOC("greater", "Return whether x1 > x2 (numeric); bool result; false for NaN."),
    BINARY_DOC("greater_equal", "Return whether x1 >= x2 (numeric); bool result; false for NaN."),
    BINARY_DOC("logical_and", "Return whether both hold; bool result, numbers as 'not zero'."),
    BINARY_DOC("logical_or", "Return whether one holds; bool result, numbers as 'not zero'."),
    {"where", "where(condition, x1, x2, /)\n--\n\nReturn x1 where condition (bool) holds, else "
              "x2.\n\nThe three shapes broadcast; the types of x1 and x2 promote; one of them may "
              "be a scalar."},
    {"sum", "sum(x, /, axis=None, dtype=None, keepdims=False)\n--\n\nReturn the sum over axes "
            "(None: all), 0 for nothing.\n\nIntegers and bool are summed as int64 or uint64 unless "
            "dtype says otherwise, and wrap;\n16-bit floats accumulate in float32. OutOfRangeError "
            "for an axis that does not exist."},
    {"max", "max(x, /, axis=None, keepdims=False)\n--\n\nReturn the largest element over axes "
            "(numeric; None: all); NaN anywhere gives NaN.\n\nInvalidArgumentError for a maximum "
            "of nothing, OutOfRangeError for a wrong axis."},
    {"argmax", "argmax(x, /, axis=None, keepdims=False)\n--\n\nReturn the index of the first "
               "largest element along an axis (None: flattened), int64.\n\nThe first NaN wins."},
    {"matmul", "matmul(x1, x2, /)\n--\n\nReturn the matrix product (..., m, k) x (..., k, n) -> "
               "(..., m, n) (numeric).\n\nAn operand of rank 1 is a row or a column; leading axes "
               "broadcast; integers wrap;\n16-bit floats accumulate in float32. ShapeError where "
               "the inner sizes differ."},
    {"reshape", "reshape(x, shape, copy=None)\n--\n\nReturn x in another shape of as many "
                "elements, one size may be -1.\n\nA view where that is possible; copy=False "
                "refuses to copy. ShapeError if it does not fit."},
    {"permute_dims", "permute_dims(x, axes)\n--\n\nReturn a view with the axes in another order."},
    {"broadcast_to", "broadcast_to(x, shape)\n--\n\nReturn a view of x with a larger shape; its "
                     "new axes have stride 0.\n\nShapeError where x does not broadcast to it."},
    {"expand_dims", "expand_dims(x, axis=0)\n--\n\nReturn a view with a new axis of size 1."},
    {"squeeze", "squeeze(x, axis)\n--\n\nReturn a view without axes of size 1; ShapeError for "
                "others."},
    {"flip", "flip(x, axis=None)\n--\n\nReturn a view with axes (None: all) in reverse order."},
};

} // namespace

void describe(PyMethodDef* functions) {
    for (; functions->ml_name; ++functions) {
        for (const Doc& doc : docs) {
            if (!std::strcmp(doc.name, functions->ml_name)) functions->ml_doc = doc.text;
        }
    }
}

} // namespace device_api::binding
