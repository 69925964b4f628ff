// Element is what a kernel loads at once: vec4f where rows divide by four (VEC4), else f32 (SCALAR).
// Constants come from src/ops/rows.ts.
#if VEC4
alias Element = vec4f;

fn inner(a: Element, b: Element) -> f32 {
  return dot(a, b);
}
#end
#if SCALAR
alias Element = f32;

fn inner(a: Element, b: Element) -> f32 {
  return a * b;
}
#end
