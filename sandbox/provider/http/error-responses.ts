import type { AccountState } from '../state/state.ts';

/** Thrown by an operation to answer with an error status and message. */
export class ProviderErrorReply extends Error {
  override readonly name = 'ProviderErrorReply';
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Facts: errors of the one-time code service can arrive as one string that contains the error body. */
export class NestedErrorReply extends ProviderErrorReply {}

export function wrongKey(): ProviderErrorReply {
  return new ProviderErrorReply(401, 'The API key is missing or wrong');
}

/** Facts: the provider's message for a recipient's country that is not activated. */
export function countryInactive(): ProviderErrorReply {
  return new ProviderErrorReply(400, 'Country Inactive. Contact Administrator to activate country.');
}

/** Facts: the provider's message for a channel that is not activated. */
export function noRoute(): ProviderErrorReply {
  return new ProviderErrorReply(400, 'No Route on your account. Kindly contact your account manager');
}

/** Facts: the provider's message for a sender ID that is unknown, pending, declined or blocked. */
export function unknownSenderId({ applicationId }: AccountState, from: string): ProviderErrorReply {
  const message = `ApplicationSenderId not found for applicationId: ${applicationId} and senderName: ${from}`;
  return new ProviderErrorReply(404, message);
}

/** A balance that does not cover the message. No source shows the status: 400 is a choice. */
export function balanceTooLow(): ProviderErrorReply {
  return new ProviderErrorReply(400, 'Insufficient balance. Kindly top up your account');
}
