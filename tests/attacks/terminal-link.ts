/** Opens a link as the terminal does, in this realm. */
import { givenRun } from '../../src/cli/run-config';

/** Null if the terminal opens the link or refuses it in a sentence of its own; else the error. */
export async function terminalFault(link: string): Promise<string | null> {
  try {
    await givenRun(link);
    return null;
  } catch (error) {
    const isSentence = error instanceof Error && error.constructor === Error && !error.message.startsWith('Assertion');
    return isSentence ? null : String((error as Error).stack ?? error);
  }
}
