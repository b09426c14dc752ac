import { z } from 'zod';
import { isInboundStatus } from '../../domain/deliveries/delivery-status.ts';
import { isStaleReport, readReportedTime } from '../../domain/deliveries/reported-time.ts';
import { readCost } from '../../domain/money/money.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { readReportedNumber } from '../../domain/phone/read-number.ts';
import { parseJson } from '../../provider/response/json.ts';
import type { DeliveryReport } from '../../store/deliveries/deliveries.ts';

/** A message that came in. */
export interface ReportedReply {
  /** `+` and digits. */
  from: string;
  text: string;
  /** As `readReportedTime` reads it. */
  sentAt: Date | undefined;
  /** What it came to, and how, as the provider says it. */
  receiver: string | undefined;
  channel: string | undefined;
  /** The provider’s id of it, and its time as written. */
  id: string | undefined;
  writtenAt: string | undefined;
}

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

/** What a body holds. */
export interface ReadReports {
  /** `malformed` and `stale`: nothing in it can be taken. */
  kind: 'read' | 'malformed' | 'stale';
  reports: DeliveryReport[];
  /** Messages that came in. */
  replies: ReportedReply[];
  items: ReportItems;
}

/** By what a body is read. */
export interface ReportReading {
  now: Date;
  /** Of what is taken. */
  maxAgeMs: number;
  /** Of numbers that are written without one. */
  country: CountryCode;
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
  sent_at: optionalText.catch(undefined),
  // Needed only to answer it: without them it is taken all the same.
  receiver: optionalText.catch(undefined),
  channel: optionalText.catch(undefined),
  message_id: optionalText.catch(undefined),
});

/**
 * Reads the body of a request: a report, several as a list, or either wrapped in `data`. What is none of a message that went
 * out or came in, such as the state of a device, is left aside. An item that cannot be taken keeps none of the others from
 * being taken.
 */
export function readReports(body: Uint8Array, reading: ReportReading): ReadReports {
  const parsed = parseJson(Buffer.from(body).toString('utf8'));
  const items = parsed === undefined ? undefined : itemsOf(parsed.value);
  const read: ReadReports = {
    kind: 'malformed',
    reports: [],
    replies: [],
    items: { taken: 0, unreadable: 0, stale: 0, leftAside: 0 },
  };
  if (items === undefined || items.length > maxReports) {
    return read;
  }
  for (const item of items) {
    read.items[takeItem(item, read, reading)] += 1;
  }
  const { taken, unreadable, stale, leftAside } = read.items;
  if (taken + leftAside > 0) {
    return { ...read, kind: 'read' };
  }
  return { ...read, kind: stale > 0 && unreadable === 0 ? 'stale' : 'malformed' };
}

/** Adds what an item says to what is read. Returns what became of it. */
function takeItem(
  item: unknown,
  { reports, replies }: Pick<ReadReports, 'reports' | 'replies'>,
  reading: ReportReading,
): keyof ReportItems {
  const type = typeOf(item);
  if (type === 'other') {
    return 'leftAside';
  }
  const read = type === 'reply' ? readReply(item, reading) : readReport(item, reading);
  if (typeof read === 'string') {
    return read;
  }
  const at = 'from' in read ? read.sentAt : read.reportedAt;
  if (at !== undefined && isStaleReport(at, reading)) {
    return 'stale';
  }
  if ('from' in read) {
    replies.push(read);
  } else {
    reports.push(read);
  }
  return 'taken';
}

function itemsOf(value: unknown): unknown[] | undefined {
  const items = [value].flat().flatMap(unwrapped);
  return typeof value === 'object' && value !== null ? items : undefined;
}

/** What is in `data` may have its type beside it. That of a list may name the list, which says nothing of what is in it. */
function unwrapped(value: unknown): unknown {
  const inner = fieldOf(value, 'data');
  if (typeof inner !== 'object' || inner === null) {
    return value;
  }
  const type = fieldOf(value, 'type');
  if (Array.isArray(inner)) {
    return directionOf(type) === undefined ? inner : inner.map((each) => withType(each, type));
  }
  return withType(inner, type);
}

function withType(item: unknown, type: unknown): unknown {
  return typeof item === 'object' && item !== null ? { type, ...item } : item;
}

/**
 * The type says which way a message went. Where there is none that is known, the status does: a report may say of a message
 * that went out that it was received.
 */
function typeOf(item: unknown): 'report' | 'reply' | 'other' {
  const [type, status] = [fieldOf(item, 'type'), fieldOf(item, 'status')];
  const direction = directionOf(type);
  if (direction !== undefined) {
    return direction === 'inbound' ? 'reply' : 'report';
  }
  const hasNoType = type === undefined || type === null || typeof type === 'object';
  if (typeof status === 'string' && isInboundStatus(status)) {
    // Under a type that is not known here, it may be a payment that was received.
    return hasNoType || fieldOf(item, 'sender') !== undefined ? 'reply' : 'other';
  }
  return hasNoType ? 'report' : 'other';
}

function directionOf(type: unknown): 'inbound' | 'outbound' | undefined {
  const word = typeof type === 'string' ? type.trim().toLowerCase() : undefined;
  return word === 'inbound' || word === 'outbound' ? word : undefined;
}

/** Without zod, which would look at each report twice. */
function fieldOf(value: unknown, name: 'data' | 'type' | 'status' | 'sender'): unknown {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const found: unknown = Reflect.get(value, name);
  return found;
}

/** Left aside is what nobody can be answered to, or in which nothing was said. */
function readReply(item: unknown, { country }: ReportReading): ReportedReply | 'unreadable' | 'leftAside' {
  const { data: reply } = replySchema.safeParse(item);
  if (reply === undefined) {
    return 'unreadable';
  }
  const from = readReportedNumber(reply.sender, country);
  if (from === undefined) {
    return isNameOrService(reply.sender) ? 'leftAside' : 'unreadable';
  }
  return reply.message === undefined
    ? 'leftAside'
    : {
        from,
        text: reply.message,
        sentAt: reply.sent_at === undefined ? undefined : readReportedTime(reply.sent_at),
        receiver: reply.receiver,
        channel: reply.channel,
        id: reply.message_id,
        writtenAt: reply.sent_at,
      };
}

/** Whether a sender is a name, or the short code of a service. */
function isNameOrService(sender: string): boolean {
  return /\p{L}/u.test(sender) || /^\d{1,5}$/.test(sender.trim());
}

function readReport(item: unknown, { country }: ReportReading): DeliveryReport | 'unreadable' {
  const { data: report } = reportSchema.safeParse(item);
  if (report === undefined) {
    return 'unreadable';
  }
  const number = readReportedNumber(report.receiver, country);
  return number === undefined
    ? 'unreadable'
    : {
        providerId: report.message_id,
        number,
        sender: report.sender,
        text: report.message,
        status: printable(report.status),
        reportedAt: report.sent_at === undefined ? undefined : readReportedTime(report.sent_at),
        cost: report.cost === undefined ? undefined : readCost(report.cost),
        source: 'report',
      };
}

/** Without characters that a database or Slack does not take. */
function printable(words: string): string {
  return words.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
