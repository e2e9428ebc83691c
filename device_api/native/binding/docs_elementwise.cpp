// SPDX-License-Identifier: Apache-2.0
// Signatures and docstrings of the elementwise functions.
#include "docs.hpp"

namespace device_api::binding {

#define UNARY_DOC(name, what) {name, name "(x, /)\n--\n\n" what}
#define BINARY_DOC(name, what)                                                                     \
    {name,                                                                                         \
     name "(x1, x2, /)\n--\n\n" what                                                               \
          "\n\nThe shapes broadcast (else ShapeError) and the types promote; one operand "         \
          "may be a\nPython scalar, which takes the array's type. DTypeError where the types "     \
          "have no meaning,\nDeviceMismatchError for operands on two devices."}

const Doc elementwise_docs[] = {
    UNARY_DOC("negative", "Return -x (numeric); unsigned and the most negative integer wrap."),
    UNARY_DOC(
        "abs",
        "Return the absolute value (numeric); of complex numbers the magnitude, a real number."),
    UNARY_DOC("exp", "Return e to the power x (floating, complex; integers as float32)."),
    UNARY_DOC("expm1", "Return e to the power x, minus 1, also accurate near 0 (floating, complex; "
                       "integers as float32)."),
    UNARY_DOC("log", "Return the natural logarithm (floating, complex; integers as "
                     "float32).\n\nlog(0) is -inf, of negative real numbers NaN."),
    UNARY_DOC("log1p", "Return the natural logarithm of 1 + x, also accurate near 0 (floating, "
                       "complex; integers as float32)."),
    UNARY_DOC("log2",
              "Return the logarithm to the base 2 (floating, complex; integers as float32)."),
    UNARY_DOC("log10",
              "Return the logarithm to the base 10 (floating, complex; integers as float32)."),
    UNARY_DOC("sqrt", "Return the square root (floating, complex; integers as float32); of "
                      "negative real numbers NaN."),
    UNARY_DOC("rsqrt", "Return 1 / sqrt(x) (floating; integers as float32); 0 gives inf."),
    UNARY_DOC("reciprocal",
              "Return 1 / x (floating, complex; integers as float32); 0 gives inf of its sign."),
    UNARY_DOC("sin", "Return the sine of x in radians (floating, complex; integers as float32)."),
    UNARY_DOC("cos", "Return the cosine of x in radians (floating, complex; integers as float32)."),
    UNARY_DOC("tan",
              "Return the tangent of x in radians (floating, complex; integers as float32)."),
    UNARY_DOC("asin", "Return the arc sine (floating, complex; integers as float32); of real "
                      "numbers above 1 in size NaN."),
    UNARY_DOC("acos", "Return the arc cosine (floating, complex; integers as float32); of real "
                      "numbers above 1 in size NaN."),
    UNARY_DOC("atan", "Return the arc tangent (floating, complex; integers as float32)."),
    UNARY_DOC("sinh", "Return the hyperbolic sine (floating, complex; integers as float32)."),
    UNARY_DOC("cosh", "Return the hyperbolic cosine (floating, complex; integers as float32)."),
    UNARY_DOC("tanh", "Return the hyperbolic tangent (floating, complex; integers as float32)."),
    UNARY_DOC("asinh",
              "Return the inverse hyperbolic sine (floating, complex; integers as float32)."),
    UNARY_DOC("acosh", "Return the inverse hyperbolic cosine (floating, complex; integers as "
                       "float32); of real numbers below 1 NaN."),
    UNARY_DOC("atanh", "Return the inverse hyperbolic tangent (floating, complex; integers as "
                       "float32); of real numbers above 1 in size NaN."),
    UNARY_DOC("erf", "Return the error function (floating; integers as float32)."),
    UNARY_DOC("floor", "Return the largest whole number not above x (real); integers stay."),
    UNARY_DOC("ceil", "Return the smallest whole number not below x (real); integers stay."),
    UNARY_DOC("trunc", "Return x without its fraction (real); integers stay."),
    UNARY_DOC("round", "Return the nearest whole number, halves to the even one (numeric); of "
                       "complex numbers part "
                       "by part."),
    UNARY_DOC("sign", "Return -1, 0 or 1 by the sign of x (numeric, same type); NaN of NaN.\n\nOf "
                      "complex numbers "
                      "x / abs(x), 0 for 0."),
    UNARY_DOC("signbit",
              "Return whether the sign bit is set (floating); bool result, true for -0."),
    UNARY_DOC("isnan",
              "Return whether each element, or one of its parts, is NaN (numeric); bool result."),
    UNARY_DOC(
        "isinf",
        "Return whether each element, or one of its parts, is infinite (numeric); bool result."),
    UNARY_DOC("isfinite",
              "Return whether each element is neither infinite nor NaN (numeric); bool result."),
    UNARY_DOC("logical_not", "Return the logical negation; bool result, numbers as 'not zero'."),
    UNARY_DOC("bitwise_invert", "Return x with every bit flipped (integer); of bool the negation."),
    UNARY_DOC("real", "Return the real parts; of real numbers a copy."),
    UNARY_DOC("imag", "Return the imaginary parts; of real numbers zeros."),
    UNARY_DOC("conj", "Return the complex conjugates; of real numbers a copy."),
    BINARY_DOC("add", "Return x1 + x2 (numeric); integers wrap."),
    BINARY_DOC("subtract", "Return x1 - x2 (numeric); integers wrap."),
    BINARY_DOC("multiply", "Return x1 * x2 (numeric); integers wrap."),
    BINARY_DOC("divide", "Return x1 / x2 (floating, complex; integers as float32)."),
    BINARY_DOC("floor_divide",
               "Return the quotient rounded down (real); 0 where an integer is divided by 0."),
    BINARY_DOC("remainder",
               "Return x1 - floor(x1 / x2) * x2, with the sign of x2 (real); 0 where an integer is "
               "divided by 0."),
    BINARY_DOC("maximum", "Return the larger one (real); NaN on either side gives NaN."),
    BINARY_DOC("minimum", "Return the smaller one (real); NaN on either side gives NaN."),
    BINARY_DOC("pow", "Return x1 to the power x2 (numeric); integers wrap."),
    BINARY_DOC(
        "atan2",
        "Return the angle of the point (x2, x1), from -pi to pi (floating; integers as float32)."),
    BINARY_DOC("hypot", "Return sqrt(x1 * x1 + x2 * x2) without overflow on the way (floating; "
                        "integers as float32)."),
    BINARY_DOC("copysign", "Return x1 with the sign of x2 (floating; integers as float32)."),
    BINARY_DOC("nextafter",
               "Return the next number after x1 towards x2 (floating; integers as float32)."),
    BINARY_DOC("logaddexp", "Return log(exp(x1) + exp(x2)) without overflow on the way (floating; "
                            "integers as float32)."),
    BINARY_DOC("make_complex",
               "Return the complex numbers x1 + x2 i (real; other types than float64 as float32)."),
    BINARY_DOC("equal", "Return whether x1 == x2; bool result; NaN equals nothing."),
    BINARY_DOC("not_equal", "Return whether x1 != x2; bool result; NaN differs from everything."),
    BINARY_DOC("less", "Return whether x1 < x2 (real); bool result; false for NaN."),
    BINARY_DOC("less_equal", "Return whether x1 <= x2 (real); bool result; false for NaN."),
    BINARY_DOC("greater", "Return whether x1 > x2 (real); bool result; false for NaN."),
    BINARY_DOC("greater_equal", "Return whether x1 >= x2 (real); bool result; false for NaN."),
    BINARY_DOC("logical_and", "Return whether both hold; bool result, numbers as 'not zero'."),
    BINARY_DOC("logical_or", "Return whether one holds; bool result, numbers as 'not zero'."),
    BINARY_DOC("bitwise_and", "Return the bits that are set in both (integer, bool)."),
    BINARY_DOC("bitwise_or", "Return the bits that are set in one or both (integer, bool)."),
    BINARY_DOC("bitwise_xor", "Return the bits that are set in exactly one (integer, bool)."),
    BINARY_DOC("bitwise_left_shift",
               "Return x1 times 2 to the power x2 (integer); bits fall out at the top."),
    BINARY_DOC("bitwise_right_shift", "Return x1 over 2 to the power x2, rounded down (integer)."),
    {nullptr, nullptr},
};

} // namespace device_api::binding
