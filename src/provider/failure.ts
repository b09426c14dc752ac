import type { FailureKind, ProviderError } from './errors.ts';

/** What an iterator over records throws where a page was not accepted: a record leaves no room for an outcome. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly kind: FailureKind;
  readonly error: ProviderError;

  constructor({ kind, error }: { readonly kind: FailureKind; readonly error: ProviderError }) {
    super(error.message);
    this.kind = kind;
    this.error = error;
  }
}
