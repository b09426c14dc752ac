import { ApiError } from '../api-error.ts';

/** The error of a call whose token has none of the needed scopes. */
export function missingScope(needed: string[], provided: string[]): ApiError {
  return new ApiError('missing_scope', [], { needed: needed.join(','), provided: provided.join(',') });
}
