import { z } from 'zod';
import { isInboundStatus } from '../../domain/deliveries/delivery-status.ts';
import { isStaleReport, readReportedTime } from '../../domain/deliveries/reported-time.ts';
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

/** What a body holds. */
export type ReadReports =
  | {
      kind: 'read';
      reports: DeliveryReport[];
      /** Messages that came in. */
      replies: ReportedReply[];
    }
  /** It cannot be read as reports. */
  | { kind: 'malformed' }
  /** A report in it is older than anything that is kept, or of the future. */
  | { kind: 'stale' };

/** The most reports of one body. */
const maxReports = 1_000;

const text = z.union([z.string(), z.number().transform(String)]);
const optionalText = text.nullish().transform((value) => value ?? undefined);

/** Beyond the description: a delivery report of the provider. Only the fields that are used are looked at. */
const reportSchema = z.object({
  type: optionalText,
  message_id: text.pipe(z.string().regex(/^[\x21-\x7e]{1,100}$/)),
  receiver: text.pipe(z.string().regex(/^\+?\d{6,15}$/)),
  sender: optionalText,
  message: optionalText,
  sent_at: optionalText,
  cost: optionalText,
  status: text.pipe(z.string().trim().min(1).max(1_000)),
});

/** Beyond the description: a message that came in. */
const replySchema = z.object({
  sender: text.pipe(z.string().regex(/^\+?\d{6,15}$/)),
  message: text,
  sent_at: optionalText,
  // Of what only serves to answer it, nothing keeps it from being taken.
  receiver: optionalText.catch(undefined),
  channel: optionalText.catch(undefined),
  message_id: optionalText.catch(undefined),
});

/**
 * Reads the body of a request: a report, several as a list, or either wrapped in `data`. What is none of a message that went
 * out or came in, such as the state of a device, is left aside.
 */
export function readReports(body: Uint8Array, now: { now: Date; maxAgeMs: number }): ReadReports {
  const parsed = parseJson(Buffer.from(body).toString('utf8'));
  const items = parsed === undefined ? undefined : itemsOf(parsed.value);
  if (items === undefined || items.length === 0 || items.length > maxReports) {
    return { kind: 'malformed' };
  }
  const reports: DeliveryReport[] = [];
  const replies: ReportedReply[] = [];
  for (const item of items) {
    const type = typeOf(item);
    if (type !== 'report') {
      const reply = type === 'reply' ? readReply(item) : undefined;
      if (reply?.sentAt !== undefined && isStaleReport(reply.sentAt, now)) {
        return { kind: 'stale' };
      }
      replies.push(...(reply === undefined ? [] : [reply]));
      continue;
    }
    const report = readReport(item);
    if (report === undefined) {
      return { kind: 'malformed' };
    }
    if (report.reportedAt !== undefined && isStaleReport(report.reportedAt, now)) {
      return { kind: 'stale' };
    }
    reports.push(report);
  }
  return { kind: 'read', reports, replies };
}

function itemsOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) {
    return value.map(unwrapped);
  }
  const inner = unwrapped(value);
  if (Array.isArray(inner)) {
    return inner;
  }
  return typeof inner === 'object' && inner !== null ? [inner] : undefined;
}

/** A report in `data` may have its type beside it. */
function unwrapped(value: unknown): unknown {
  const inner = fieldOf(value, 'data');
  if (typeof inner !== 'object' || inner === null) {
    return value;
  }
  return Array.isArray(inner) ? inner : { type: fieldOf(value, 'type'), ...inner };
}

function typeOf(item: unknown): 'report' | 'reply' | 'other' {
  const [type, status] = [fieldOf(item, 'type'), fieldOf(item, 'status')];
  if (type === 'inbound' || (typeof status === 'string' && isInboundStatus(status))) {
    return 'reply';
  }
  const hasNoType = type === undefined || type === null || typeof type === 'object';
  return hasNoType || type === 'outbound' ? 'report' : 'other';
}

/** Without zod, which would look at each report twice. */
function fieldOf(value: unknown, name: 'data' | 'type' | 'status'): unknown {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const found: unknown = Reflect.get(value, name);
  return found;
}

/** Returns undefined where nobody is named who could be answered, or nothing was said. */
function readReply(item: unknown): ReportedReply | undefined {
  const { data: reply } = replySchema.safeParse(item);
  return (
    reply && {
      from: `+${reply.sender.replace('+', '')}`,
      text: reply.message,
      sentAt: reply.sent_at === undefined ? undefined : readReportedTime(reply.sent_at),
      receiver: reply.receiver,
      channel: reply.channel,
      id: reply.message_id,
      writtenAt: reply.sent_at,
    }
  );
}

function readReport(item: unknown): DeliveryReport | undefined {
  const { data: report } = reportSchema.safeParse(item);
  return (
    report && {
      providerId: report.message_id,
      number: `+${report.receiver.replace('+', '')}`,
      sender: report.sender,
      text: report.message,
      status: printable(report.status),
      reportedAt: report.sent_at === undefined ? undefined : readReportedTime(report.sent_at),
      cost:
        report.cost !== undefined && /^\d{1,9}(?:\.\d{1,6})?$/.test(report.cost) ? report.cost : undefined,
      source: 'report',
    }
  );
}

/** Without characters that a database or Slack does not take. */
function printable(words: string): string {
  return words.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
