// Element is what a kernel loads at once: vec4f where rows divide by four (VEC4 = 1), else f32 (SCALAR = 1).
// An #unroll of 0 leaves its lines out. Constants come from src/ops/element.ts.
#unroll once VEC4
alias Element = vec4f;

fn inner(a: Element, b: Element) -> f32 {
  return dot(a, b);
}
#end
#unroll once SCALAR
alias Element = f32;

fn inner(a: Element, b: Element) -> f32 {
  return a * b;
}
#end
