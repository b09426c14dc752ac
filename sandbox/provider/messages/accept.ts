import { randomInt } from 'node:crypto';
import { balanceTooLow, noRoute, unknownSenderId } from '../http/error-responses.ts';
import { deliveryStatus } from '../insight/networks.ts';
import type { OperationContext } from '../operation.ts';
import type { AcceptedMessage, AccountState, SendChannel } from '../state/state.ts';
import { magicDelivery } from './delivery-numbers.ts';
import { pagesOf } from './pages.ts';
import { pricesInKobo } from './prices.ts';

type Outgoing = Pick<AcceptedMessage, 'channel' | 'type' | 'from' | 'to' | 'text' | 'media'>;

/** Throws for a route that is not activated on the account. */
export function checkRoute(account: AccountState, channel: SendChannel): void {
  if (!account.channels.includes(channel)) {
    throw noRoute();
  }
}

/** Whether the account may use a sender ID. */
export function maySendAs(account: AccountState, from: string): boolean {
  return account.senderIds.some((known) => known.sender_id === from && known.status === 'active');
}

/** Throws for a sender ID that the account may not use. */
export function checkSender(account: AccountState, from: string): void {
  if (!maySendAs(account, from)) {
    throw unknownSenderId(account, from);
  }
}

/** Deducts the price from the balance. Throws when the balance is too low. */
export function charge(account: AccountState, costInKobo: number): void {
  if (costInKobo > account.balanceInKobo) {
    throw balanceTooLow();
  }
  account.balanceInKobo -= costInKobo;
}

/** Charges a message per page and recipient and records it. */
export function accept(
  message: Outgoing,
  { operation, account, state, now }: OperationContext,
): AcceptedMessage {
  const { channel, to } = message;
  const pages = pagesOf(message.text);
  const costInKobo = pages * to.length * pricesInKobo[channel];
  charge(account, costInKobo);
  const accepted: AcceptedMessage = {
    ...message,
    id: newMessageId(now),
    at: now.toISOString(),
    operation,
    account: account.key,
    pages,
    costInKobo,
    deliveries: to.map((recipient) => ({
      to: recipient,
      delivery: magicDelivery(recipient) ?? deliveryStatus(channel, recipient, now),
    })),
  };
  state.record.push(accepted);
  return accepted;
}

/** Returns an id of 25 digits, more than a JSON number holds exactly. */
export function newMessageId(now: Date): string {
  const digits = () => String(randomInt(100_000)).padStart(5, '0');
  return `30${String(now.getTime()).padStart(13, '0')}${digits()}${digits()}`;
}
