/**
 * Runs `act` with a listener that hears nothing once it has ended: what a worker tells may come after its answer, which
 * has a port of its own.
 */
export async function listening<Told, Result>(
  listener: (told: Told) => void,
  act: (tell: (told: Told) => void) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const tell = (told: Told): void => {
    if (!isOver) listener(told);
  };
  try {
    return await act(tell);
  } finally {
    isOver = true;
  }
}
