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
