/** SwiGLU and tanh-GELU in float64. */
import { zeros, type Array64 } from './array';

export function swiglu(gateUp: Array64): Array64 {
  const [N, width] = gateUp.shape;
  const F = width / 2;
  const y = zeros(N, F);
  y.data.forEach((_, i) => {
    const at = Math.floor(i / F) * width + (i % F);
    const gate = gateUp.data[at];
    y.data[i] = (gate / (1 + Math.exp(-gate))) * gateUp.data[at + F];
  });
  return y;
}

export function gelu(x: Array64): Array64 {
  return {
    shape: x.shape,
    data: x.data.map((u) => 0.5 * u * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (u + 0.044715 * u ** 3)))),
  };
}
