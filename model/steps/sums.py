"""Sums of products, the commonest step: how their terms stand in a table and what they add up to."""

from __future__ import annotations

from .working import Column, Equation, Line, Working


def sum_of_products(says: str, x: Line, y: Line, *, offset: Line | None = None) -> Working:
    """Return the working of Σ x y, or of Σ x y + offset."""
    products = x.values * y.values
    total = float(products.sum())
    signs = f"Σ {x.role} {y.role}"
    equations = [Equation("sum of the products", (signs,), total)]
    if offset is not None:
        equations.append(Equation("with the offset", (total, "+", offset), total + offset.value))
    columns = (Column("product", products, adds=True), Column("running sum", products, running=True))
    operands = (x, y) if offset is None else (x, y, offset)
    return Working(says, operands, columns, tuple(equations), equations[-1].value)
