import type { JsonObject } from '../../lib/json.ts';
import { lagosTimestamp } from '../../lib/lagos-time.ts';
import type { AcceptedMessage, DeliveryStatus, InboundText } from '../state/state.ts';
import type { AccountWebhook } from './account-webhook.ts';

/** What is odd about the reports of a number: none come, or they come twice, in the opposite order, late or with forged ones. */
type ReportQuirk = 'none' | 'twice' | 'reversed' | 'late' | 'forged';

interface DeliveryNumber {
  number: string;
  /** For the page. */
  what: string;
  /** How each message ends. By default as to any other number. */
  delivery?: DeliveryStatus;
  quirk?: ReportQuirk;
}

/** Numbers to which every message is accepted, and that decide what follows. None ends in 7, which means DND. */
const numbers: readonly DeliveryNumber[] = [
  {
    number: '2348030009701',
    what: 'It is reported as sent, then as failed.',
    delivery: 'Failed',
  },
  {
    number: '2348030009702',
    what: 'It is not delivered: the number is on Do-Not-Disturb.',
    delivery: 'DND Active on Phone Number',
  },
  {
    number: '2348030009703',
    what: 'It expires, because the phone stays off too long.',
    delivery: 'Expired',
  },
  {
    number: '2348030009704',
    what: 'The network rejects it.',
    delivery: 'Rejected',
  },
  {
    number: '2348030009705',
    what: 'It ends with an undocumented status.',
    delivery: 'Parked at Operator',
  },
  {
    number: '2348030009711',
    what: 'It is delivered, and no report comes. Only the provider’s history shows it.',
    delivery: 'Delivered',
    quirk: 'none',
  },
  {
    number: '2348030009712',
    what: 'It is delivered, and each report comes twice.',
    delivery: 'Delivered',
    quirk: 'twice',
  },
  {
    number: '2348030009713',
    what: 'It is delivered. The report of the delivery arrives before the report of the sending.',
    delivery: 'Delivered',
    quirk: 'reversed',
  },
  {
    number: '2348030009714',
    what: 'It is delivered, and each report comes a minute late.',
    delivery: 'Delivered',
    quirk: 'late',
  },
  {
    number: '2348030009715',
    what: 'It is delivered. Each report follows a forged one, signed with another key.',
    delivery: 'Delivered',
    quirk: 'forged',
  },
];

/** The numbers that decide how an accepted message ends and how that is reported, for the page. */
export const deliveryNumbers: readonly { number: string; what: string }[] = numbers.map(
  ({ number, what }) => ({ number: `+${number}`, what }),
);

const byNumber: ReadonlyMap<string, DeliveryNumber> = new Map(numbers.map((each) => [each.number, each]));

export const magicDelivery = (number: string): DeliveryStatus | undefined => byNumber.get(number)?.delivery;

const reportQuirkOf = (number: string): ReportQuirk | undefined => byNumber.get(number)?.quirk;

/** Creates a generator of numbers from 0 to 1, equal for equal seeds (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A report or an inbound text that is to be sent. */
export interface PlannedReport {
  body: JsonObject;
  /** The time after the one before it, in milliseconds. */
  delayMs: number;
  /** A forged one is signed with another key. */
  genuine: boolean;
  lost: boolean;
}

/** How much later the reports of the number for late ones are. */
const lateMs = 60_000;

const onItsWay = 'Message Sent';

/** The reports of each way a message can end, in the order in which the provider makes them. */
const statusesOf: Record<DeliveryStatus, readonly string[]> = {
  Delivered: [onItsWay, 'DELIVERED'],
  Failed: [onItsWay, 'Message Failed'],
  Expired: [onItsWay, 'Expired'],
  Rejected: ['Rejected'],
  'DND Active on Phone Number': ['DND Active on Phone Number'],
  'Parked at Operator': [onItsWay, 'Parked at Operator'],
};

type Conditions = Pick<
  AccountWebhook,
  'delayMs' | 'lossRate' | 'duplicateRate' | 'forgeryRate' | 'reorderRate'
>;

/** Plans the reports of a message to one recipient. Draws from `random` equally often for equal statuses. */
export function planReports(
  message: AcceptedMessage,
  { to, delivery }: AcceptedMessage['deliveries'][number],
  conditions: Conditions,
  random: () => number,
): PlannedReport[] {
  const quirk = reportQuirkOf(to);
  const isReversed = random() < conditions.reorderRate || quirk === 'reversed';
  const statuses = isReversed ? statusesOf[delivery].toReversed() : statusesOf[delivery];
  const delayMs = conditions.delayMs + (quirk === 'late' ? lateMs : 0);
  return statuses.flatMap((status) =>
    planPosts(reportBody(message, to, status), { conditions, random, quirk, delayMs }),
  );
}

/** Plans the posts of an inbound text, which do not wait. */
export function planInbound(
  text: InboundText,
  conditions: Conditions,
  random: () => number,
): PlannedReport[] {
  return planPosts(inboundBody(text), { conditions, random, quirk: undefined, delayMs: 0 });
}

function planPosts(
  body: JsonObject,
  {
    conditions,
    random,
    quirk,
    delayMs,
  }: {
    conditions: Conditions;
    random: () => number;
    quirk: ReportQuirk | undefined;
    delayMs: number;
  },
): PlannedReport[] {
  const draw = (rate: number, always: ReportQuirk) => random() < rate || quirk === always;
  const isLost = draw(conditions.lossRate, 'none');
  const isTwice = draw(conditions.duplicateRate, 'twice');
  const isForged = draw(conditions.forgeryRate, 'forged');
  const genuine = { body, genuine: true, lost: isLost };
  const posts = [
    ...(isForged ? [{ body: forgedBody(body), genuine: false, lost: false }] : []),
    genuine,
    ...(isTwice ? [genuine] : []),
  ];
  return posts.map((post, index) => ({ ...post, delayMs: index === 0 ? delayMs : 0 }));
}

/** The body of a report (facts). The cost is the recipient's share, in naira, as text. */
function reportBody(
  { id, at, from, text, channel, costInKobo, deliveries }: AcceptedMessage,
  to: string,
  status: string,
): JsonObject {
  return {
    type: 'outbound',
    message_id: id,
    receiver: to,
    ...(from !== '' && { sender: from }),
    message: text,
    sent_at: lagosTimestamp(new Date(at)),
    cost: String(costInKobo / 100 / deliveries.length),
    status,
    channel,
  };
}

/** The body of a text from a phone (facts). Unlike a report, it has a time with a zone. */
function inboundBody({ id, at, from, to, channel, text }: InboundText): JsonObject {
  return {
    type: 'inbound',
    message_id: id,
    receiver: to,
    sender: from,
    message: text,
    received_at: new Date(at).toISOString(),
    status: 'Received',
    channel,
  };
}

/** What a forger says: the opposite, at another price; of a text, that its sender wants no more. */
function forgedBody(body: JsonObject): JsonObject {
  if (body.type === 'inbound') {
    return { ...body, message: 'STOP' };
  }
  return { ...body, status: body.status === 'DELIVERED' ? 'Message Failed' : 'DELIVERED', cost: '999' };
}
