import type { AccountState } from '../state/state.ts';

/** The provider's no: an operation throws it, and the caller gets its status and words. */
export class ProviderErrorReply extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Facts: what the service behind the one-time codes refuses can come as one string with the error body inside. */
export class NestedErrorReply extends ProviderErrorReply {}

export function wrongKey(): ProviderErrorReply {
  return new ProviderErrorReply(401, 'The API key is missing or wrong');
}

/** Facts: the words are the provider's, for a recipient's country that is not activated. */
export function countryInactive(): ProviderErrorReply {
  return new ProviderErrorReply(400, 'Country Inactive. Contact Administrator to activate country.');
}

/** Facts: the words are the provider's, for a channel that is not activated. */
export function noRoute(): ProviderErrorReply {
  return new ProviderErrorReply(400, 'No Route on your account. Kindly contact your account manager');
}

/** Facts: the words are the provider's, for a sender ID that is unknown, pending, declined or blocked. */
export function unknownSenderId({ applicationId }: AccountState, from: string): ProviderErrorReply {
  const message = `ApplicationSenderId not found for applicationId: ${applicationId} and senderName: ${from}`;
  return new ProviderErrorReply(404, message);
}

/** A balance that does not cover the message. The status is a choice: no source shows it. */
export function balanceTooLow(): ProviderErrorReply {
  return new ProviderErrorReply(400, 'Insufficient balance. Kindly top up your account');
}
