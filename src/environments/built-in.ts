/** Sources of the built-in environments and of the SDK, as the sandbox loads them and the editor shows them. Runs none of them. */
import calculator from './calculator.js?raw';
import sdk from './sdk.js?raw';

/** Source of the module that environments import as `agentlet`. */
export const sdkSource: string = sdk;

/** Environment name in a RunConfig → JavaScript source. */
export const builtInEnvironments: Readonly<Record<string, string>> = { calculator };
