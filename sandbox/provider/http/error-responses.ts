import type { AccountState } from '../state/state.ts';

/** The provider's no: an operation throws it, and the caller gets its status and words. */
export class ProviderRefusal extends Error {
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
export class NestedRefusal extends ProviderRefusal {}

export function wrongKey(): ProviderRefusal {
  return new ProviderRefusal(401, 'The API key is missing or wrong');
}

/** Facts: the words are the provider's, for a recipient's country that is not activated. */
export function countryInactive(): ProviderRefusal {
  return new ProviderRefusal(400, 'Country Inactive. Contact Administrator to activate country.');
}

/** Facts: the words are the provider's, for a channel that is not activated. */
export function noRoute(): ProviderRefusal {
  return new ProviderRefusal(400, 'No Route on your account. Kindly contact your account manager');
}

/** Facts: the words are the provider's, for a sender ID that is unknown, pending, declined or blocked. */
export function unknownSenderId({ applicationId }: AccountState, from: string): ProviderRefusal {
  const message = `ApplicationSenderId not found for applicationId: ${applicationId} and senderName: ${from}`;
  return new ProviderRefusal(404, message);
}

/** A balance that does not cover the message. The status is a choice: no source shows it. */
export function balanceTooLow(): ProviderRefusal {
  return new ProviderRefusal(400, 'Insufficient balance. Kindly top up your account');
}
