declare module 'virtual:sandbox-worker' {
  /** The sandbox worker as one classic script. */
  const source: string;
  export default source;
}

declare module 'virtual:sandbox-frame' {
  /** The document of the sandbox frame: its policy and its script. */
  const html: string;
  export default html;
}

declare module 'virtual:metered-quickjs' {
  /** URL of the metered engine. */
  const url: string;
  export default url;
}

declare module 'virtual:catalog' {
  /** URL of a `Catalog` as JSON. */
  const url: string;
  export default url;
}

declare module 'virtual:cpu-kernels' {
  interface CpuKernel {
    readonly export: string;
    /** Arguments in the order of memory, four bytes each. */
    readonly fields: readonly { readonly name: string; readonly type: 'usize' | 'u32' | 'i32' | 'f32' }[];
  }
  /** The WebAssembly module. */
  export const base64: string;
  /** By `shader.entry`. */
  export const kernels: Readonly<Record<string, CpuKernel>>;
}

declare module 'virtual:world-cards' {
  /** The quickest first. */
  const cards: readonly import('./world-cards').WorldCard[];
  export default cards;
}

declare module 'virtual:world-scenes' {
  /** Preset → URL of the drawings of its recording's answers, packed. */
  const urls: Readonly<Record<string, string>>;
  export default urls;
}

declare module 'virtual:sdk-words' {
  export interface SdkWord {
    /** Where it can stand: `agentlet` (an import), `export`, `meta`, `tool`, or the type that it is a member of. */
    readonly of: string;
    readonly name: string;
    readonly signature: string;
    readonly about: string;
  }
  const words: readonly SdkWord[];
  export default words;
}
