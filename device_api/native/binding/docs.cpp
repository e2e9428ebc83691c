// SPDX-License-Identifier: Apache-2.0
// Signatures and docstrings of the native functions that users see. Source of the definitions:
// Python array API standard 2025.12; edge values are those of the op table.
#include <cstring>

#include "docs.hpp"

namespace device_api::binding {
namespace {

const Doc docs[] = {
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
    {"prod",
     "prod(x, /, axis=None, dtype=None, keepdims=False)\n--\n\nReturn the product over axes "
     "(None: all), 1 for nothing.\n\nTypes as in sum()."},
    {"min", "min(x, /, axis=None, keepdims=False)\n--\n\nReturn the smallest element over axes "
            "(real; None: all); NaN anywhere gives NaN.\n\nInvalidArgumentError for a minimum "
            "of nothing, OutOfRangeError for a wrong axis."},
    {"any", "any(x, /, axis=None, keepdims=False)\n--\n\nReturn whether some element over axes "
            "(None: all) is not zero; bool result, false for\nnothing; NaN is not zero."},
    {"all", "all(x, /, axis=None, keepdims=False)\n--\n\nReturn whether every element over axes "
            "(None: all) is not zero; bool result, true for\nnothing; NaN is not zero."},
    {"argmin", "argmin(x, /, axis=None, keepdims=False)\n--\n\nReturn the index of the first "
               "smallest element along an axis (None: flattened), int64.\n\nThe first NaN wins."},
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

void use(const Doc& doc, PyMethodDef& function) {
    if (!std::strcmp(doc.name, function.ml_name)) function.ml_doc = doc.text;
}

} // namespace

void describe(PyMethodDef* functions) {
    for (; functions->ml_name; ++functions) {
        for (const Doc& doc : docs) use(doc, *functions);
        for (const Doc* doc = elementwise_docs; doc->name; ++doc) use(*doc, *functions);
    }
}

} // namespace device_api::binding
