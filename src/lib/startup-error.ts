/** Why the program cannot start, for the person who starts it: what is wrong and what to do. */
export class StartupError extends Error {
  override readonly name = 'StartError';
}
