/** The shape of a model of the Llama kind: Llama, Qwen2 and Qwen3. Knows no device and no file. */

export interface LlamaShape {
  /** V */
  readonly vocabulary: number;
  /** L */
  readonly layers: number;
  /** D */
  readonly width: number;
  /** H */
  readonly heads: number;
  /** Hk */
  readonly kvHeads: number;
  /** E; it need not be D / H. */
  readonly headSize: number;
  /** F */
  readonly mlpWidth: number;
  /** The output head is the token embedding. */
  readonly tied: boolean;
  /** Queries, keys and values have a bias (Qwen2). */
  readonly qkvBias: boolean;
  /** Each head of queries and keys is normalised before it is rotated (Qwen3). */
  readonly qkNorm: boolean;
  readonly normEpsilon: number;
  readonly ropeBase: number;
  /** Positions that it was trained on. */
  readonly context: number;
}
