import { readReportedStatus } from '../../../domain/deliveries/delivery-status.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import { clampText } from '../limits.ts';
import { formatCount } from '../plural.ts';
import { type Markup, mrkdwn, timeFor } from '../text.ts';

const words: Readonly<Record<MessageDelivery['state'], string>> = {
  delivered: 'delivered',
  failed: 'not delivered',
  sent: 'on the way',
  unknown: 'with another status',
};

/** Of the provider’s own words, in characters. */
const maxStatusLength = 100;

/** What became of messages once they were accepted, for a line: of one with its time and reason, of several as counts. */
export function describeDeliveries(deliveries: readonly MessageDelivery[]): Markup[] {
  const [only, ...others] = deliveries;
  if (only !== undefined && others.length === 0) {
    return [describeDelivery(only)];
  }
  return deliveryWords(deliveries).map((text) => mrkdwn`${text}`);
}

/** The same without times and reasons. */
export function deliveryWords(deliveries: readonly MessageDelivery[]): string[] {
  return Object.entries(words).flatMap(([state, word]) => {
    const count = deliveries.filter((delivery) => delivery.state === state).length;
    const counted = deliveries.length === 1 ? word : `${formatCount(count)} ${word}`;
    return count === 0 ? [] : [counted];
  });
}

function describeDelivery({ state, status, receivedAt }: MessageDelivery): Markup {
  const { reason } = readReportedStatus(status);
  switch (state) {
    case 'delivered':
      return mrkdwn`*delivered* ${timeFor(receivedAt)}`;
    case 'sent':
      return mrkdwn`on the way ${timeFor(receivedAt)}`;
    case 'failed':
      return mrkdwn`*not delivered* ${timeFor(receivedAt)}: ${reason ?? `the provider says “${clampText(status, maxStatusLength)}”`}`;
    case 'unknown':
      return mrkdwn`the provider says “${clampText(status, maxStatusLength)}” ${timeFor(receivedAt)}`;
  }
}
