import { z } from 'zod';
import { isReceived } from '../../domain/deliveries/delivery-status.ts';
import {
  isStaleReport,
  isTooOld,
  readCertainTime,
  readReportedTime,
} from '../../domain/deliveries/reported-time.ts';
import { readCost } from '../../domain/money/money.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { readReportedNumber } from '../../domain/phone/read-number.ts';
import { parseJson } from '../../provider/response/response-body.ts';
import type { DeliveryReport } from '../../store/deliveries/deliveries.ts';
import type { ReportedReply } from '../replies/replies.ts';

/** What became of the items of a body. */
export interface ReportItems {
  taken: number;
  /** Of a message, as it seems, but it cannot be read. */
  unreadable: number;
  /** Older than anything that is stored, or of the future. */
  stale: number;
  /** Of no message, such as the state of a device; to another number; or from somebody who cannot be answered. */
  leftAside: number;
}

/** An item that is a delivery report if the message is ours. If not, `otherwise` says what it is. */
interface UnclearItem {
  report: DeliveryReport;
  otherwise: ReportedReply | NotTaken;
}

type NotTaken = Exclude<keyof ReportItems, 'taken'>;

/** What a body holds. */
export interface ReadReports {
  /** `malformed` and `stale`: nothing in it can be taken. */
  kind: 'read' | 'malformed' | 'stale';
  reports: DeliveryReport[];
  /** Messages that came in. */
  replies: ReportedReply[];
  unclear: UnclearItem[];
  /** All items except the unclear ones. */
  items: ReportItems;
}

/** By what a body is read. */
export interface ReportReading {
  now: Date;
  /** Reports that are older are ignored. */
  maxAgeMs: number;
  /** Of numbers that are written without one. */
  country: CountryCode;
  /**
   * The zone of a message's `sent_at`, which doesn't include one. Undefined if the profile doesn't define it.
   */
  sentAtZone?: string | undefined;
}

/** The most reports of one body. */
const maxReports = 1_000;

const text = z.union([z.string(), z.number().transform(String)]);
const optionalText = text.nullish().transform((value) => value ?? undefined);

/** Beyond the description: a delivery report of the provider. Only the fields that are used are looked at. */
const reportSchema = z.object({
  message_id: text.pipe(z.string().regex(/^[\x21-\x7e]{1,100}$/)),
  receiver: text,
  status: text.pipe(z.string().trim().min(1).max(1_000)),
  // Without these it still says what became of a message.
  sender: optionalText.catch(undefined),
  message: optionalText.catch(undefined),
  sent_at: optionalText.catch(undefined),
  cost: optionalText.catch(undefined),
});

/** Beyond the description: a message that came in. */
const replySchema = z.object({
  sender: text,
  message: optionalText,
  received_at: optionalText.catch(undefined),
  sent_at: optionalText.catch(undefined),
  // Needed only to answer it: without them it is taken all the same.
  receiver: optionalText.catch(undefined),
  channel: optionalText.catch(undefined),
  message_id: optionalText.catch(undefined),
});

/**
 * Reads the body of a request: a report, several as a list, or either wrapped in `data`. Reports that concern no message,
 * such as the state of a device, are left aside. An unreadable item doesn't affect the others.
 */
export function readReports(body: Uint8Array, reading: ReportReading): ReadReports {
  const parsed = parseJson(Buffer.from(body).toString('utf8'));
  const items = isObject(parsed?.value) ? [parsed.value].flat().flatMap(unwrapped) : undefined;
  const read: ReadReports = {
    kind: 'malformed',
    reports: [],
    replies: [],
    unclear: [],
    items: { taken: 0, unreadable: 0, stale: 0, leftAside: 0 },
  };
  if (items === undefined || items.length > maxReports) {
    return read;
  }
  for (const item of items) {
    const found = readItem(item, reading);
    if (typeof found === 'object' && 'otherwise' in found) {
      read.unclear.push(found);
    } else {
      take(found, read);
    }
  }
  return { ...read, kind: read.unclear.length > 0 ? 'read' : kindOf(read.items) };
}

/** Resolves the unclear items. `ownReports`: delivery reports whose messages are ours. */
export function decideUnclear(read: ReadReports, ownReports: ReadonlySet<DeliveryReport>): ReadReports {
  const decided = {
    ...read,
    reports: [...read.reports],
    replies: [...read.replies],
    unclear: [],
    items: { ...read.items },
  };
  for (const { report, otherwise } of read.unclear) {
    take(ownReports.has(report) ? report : otherwise, decided);
  }
  return { ...decided, kind: read.unclear.length > 0 ? kindOf(decided.items) : read.kind };
}

function kindOf({ taken, unreadable, stale, leftAside }: ReportItems): ReadReports['kind'] {
  if (taken + leftAside > 0) {
    return 'read';
  }
  return stale > 0 && unreadable === 0 ? 'stale' : 'malformed';
}

function take(
  found: DeliveryReport | ReportedReply | NotTaken,
  { reports, replies, items }: ReadReports,
): void {
  if (typeof found === 'string') {
    items[found] += 1;
    return;
  }
  items.taken += 1;
  if ('from' in found) {
    replies.push(found);
  } else {
    reports.push(found);
  }
}

/**
 * The type says which direction a message went. Without a known type, an incoming message has the status
 * *Received* (as an outgoing one may), or a `received_at` and no status. In that case it depends on whether
 * the message is ours.
 */
function readItem(
  item: unknown,
  reading: ReportReading,
): DeliveryReport | ReportedReply | UnclearItem | NotTaken {
  const [type, status] = [fieldOf(item, 'type'), fieldOf(item, 'status')];
  const direction = directionOf(type);
  if (direction !== undefined) {
    return direction === 'inbound' ? readReply(item, reading) : readReport(item, reading);
  }
  const hasNoType = type === undefined || type === null || typeof type === 'object';
  const mayHaveComeIn =
    typeof status === 'string' ? isReceived(status) : fieldOf(item, 'received_at') !== undefined;
  if (hasNoType && !mayHaveComeIn) {
    return readReport(item, reading);
  }
  // An unknown type may also be a payment that was received.
  const isReply = mayHaveComeIn && (hasNoType || fieldOf(item, ...senderNames) !== undefined);
  const otherwise = isReply ? readReply(item, reading) : 'leftAside';
  const report = readReport(item, reading);
  return typeof report === 'string' ? otherwise : { report, otherwise };
}

/** Moves a type beside `data` into the item. Beside a list it may describe the list, so only a known direction counts. */
function unwrapped(value: unknown): unknown {
  const inner = fieldOf(value, 'data');
  if (!isObject(inner)) {
    return value;
  }
  const type = fieldOf(value, 'type');
  if (Array.isArray(inner)) {
    return directionOf(type) === undefined ? inner : inner.map((each) => withType(each, type));
  }
  return withType(inner, type);
}

function withType(item: unknown, type: unknown): unknown {
  return isObject(item) ? { type, ...item } : item;
}

/**
 * Report types that public webhook handlers use, besides the provider's own. They differ in how words are
 * joined.
 */
const directions: ReadonlyMap<string, 'inbound' | 'outbound'> = new Map([
  ['inbound', 'inbound'],
  ['inboundmessage', 'inbound'],
  ['outbound', 'outbound'],
  ['outboundmessage', 'outbound'],
  ['deliveryreport', 'outbound'],
  ['messagedeliveryreport', 'outbound'],
]);

function directionOf(type: unknown): 'inbound' | 'outbound' | undefined {
  return typeof type === 'string' ? directions.get(type.toLowerCase().replaceAll(/[^a-z]+/g, '')) : undefined;
}

const senderNames = ['sender', 'from', 'msisdn'] as const;

/**
 * Returns the first of these fields that has a value. Doesn't use zod, which would validate each report
 * twice.
 */
function fieldOf(value: unknown, ...names: readonly string[]): unknown {
  if (!isObject(value)) {
    return undefined;
  }
  return names
    .map((name): unknown => Reflect.get(value, name))
    .find((field) => field !== undefined && field !== null && field !== '');
}

/** Left aside: a message without a sender to reply to, or without content. */
function readReply(item: unknown, reading: ReportReading): ReportedReply | NotTaken {
  const sender = fieldOf(item, ...senderNames);
  const receiver = fieldOf(item, 'receiver', 'to');
  const { data: reply } = replySchema.safeParse(isObject(item) ? { ...item, sender, receiver } : item);
  if (reply === undefined) {
    return 'unreadable';
  }
  const from = readReportedNumber(reply.sender, reading.country);
  if (from === undefined) {
    // A name, or the short code of a service.
    const isKnownKind = /\p{L}/u.test(reply.sender) || /^\d{1,5}$/.test(reply.sender.trim());
    return isKnownKind ? 'leftAside' : 'unreadable';
  }
  const { received_at: receivedAt, sent_at: sentAt } = reply;
  const written = [receivedAt, sentAt].filter((at) => at !== undefined);
  const [at] = written.map(readReportedTime).filter((time) => time !== undefined);
  if (at !== undefined && isTooOld(at, reading)) {
    return 'stale';
  }
  const [certain] = written
    .map((each) => readCertainTime(each, reading.sentAtZone))
    .filter((time) => time !== undefined);
  return reply.message === undefined
    ? 'leftAside'
    : {
        from,
        text: reply.message,
        sentAt: certain,
        receiver: reply.receiver,
        channel: reply.channel,
        id: reply.message_id,
        writtenAt: written[0],
      };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readReport(item: unknown, reading: ReportReading): DeliveryReport | NotTaken {
  const receiver = fieldOf(item, 'receiver', 'to', 'msisdn');
  const sender = fieldOf(item, 'sender', 'from');
  const { data: report } = reportSchema.safeParse(isObject(item) ? { ...item, receiver, sender } : item);
  if (report === undefined) {
    return 'unreadable';
  }
  const number = readReportedNumber(report.receiver, reading.country);
  const reportedAt = report.sent_at === undefined ? undefined : readReportedTime(report.sent_at);
  if (number === undefined) {
    return 'unreadable';
  }
  return reportedAt !== undefined && isStaleReport(reportedAt, reading)
    ? 'stale'
    : {
        providerId: report.message_id,
        number,
        sender: report.sender,
        text: report.message,
        // Without characters that a database or Slack does not take.
        status: report.status.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' '),
        reportedAt,
        cost: report.cost === undefined ? undefined : readCost(report.cost),
        source: 'report',
      };
}
