import { SettingsError } from '../config/settings.ts';
import { StartupError } from '../lib/startup-error.ts';
import { StoreError } from '../store/errors.ts';

/** Returns what an operator is told of an error; undefined for one that has no words for them. */
export function explain(error: unknown): string | undefined {
  const isForOperators =
    error instanceof SettingsError || error instanceof StartupError || error instanceof StoreError;
  return isForOperators ? error.message : undefined;
}
