/** Decides which parts of an error are logged: never what a library attaches to it, such as a command with its arguments. */
export function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.constructor.name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(cause instanceof Error ? { cause: cause.message } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(messageOf) } : {}),
    stack,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
