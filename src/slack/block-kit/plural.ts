import { formatDistanceStrict } from 'date-fns/formatDistanceStrict';
import { readRoute, routeTitles } from '../../domain/messages/routes.ts';
import { nanosPerUnit, priceDecimals, readMoney, writeMoney } from '../../domain/money/money.ts';
import { shownTime } from '../../domain/time/shown-time.ts';
import { inZone } from '../../domain/time/start-time.ts';

const lagos = 'Africa/Lagos';
const hourMs = 60 * 60_000;

/** `12,345`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 recipient`, `12,345 recipients`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** With a capital, as the first word of a line. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Campaigns and messages for later: `1 campaign or scheduled message`. */
export function countCampaigns(count: number): string {
  return pluralize(count, 'campaign or scheduled message', 'campaigns or scheduled messages');
}

/** A duration by its largest unit, at least a second: `5 minutes`. */
export function formatDuration(ms: number): string {
  return formatDistanceStrict(0, Math.max(1_000, ms));
}

/** An hour of the day: `9:00 AM`. */
export function formatHour(hour: number): string {
  return shownTime(new Date(hour * hourMs));
}

/** A moment in the user's time zone, and in Lagos, whose quiet hours count. */
export function inBothZones(at: Date, zone: string, now: Date): string {
  const inLagos = inZone(at, lagos, now);
  return zone === lagos ? inLagos : `${inZone(at, zone, now)} · ${inLagos}`;
}

export function routeTitle(name: string): string {
  const route = readRoute(name);
  return route === undefined ? name : routeTitles[route];
}

/**
 * Money for a reader: `₦24,989.80`, of `24989.8 NGN`, or `24,989.80` where the currency is not known. What does not begin
 * with a decimal number is returned as it is.
 *
 * @param money the amount as the provider wrote it, followed by a space and its ISO 4217 code where that is known
 */
export function formatMoney(money: string): string {
  const nanos = readMoney(money)?.nanos ?? 0n;
  const isLess = nanos < nanosPerUnit && nanos > -nanosPerUnit;
  // A page may cost a fraction of a cent, which two decimals would round to another price.
  return formatWith(money, isLess ? priceDecimals : 2);
}

/** The price of a page for a reader, with all of its decimals. As `formatMoney` otherwise. */
export function formatPrice(money: string): string {
  return formatWith(money, priceDecimals);
}

function formatWith(money: string, maxDecimals: number): string {
  const read = readMoney(money);
  if (read === undefined) {
    return money;
  }
  const { currency } = read;
  const amount = writeMoney({ nanos: read.nanos });
  return Number(amount).toLocaleString('en', {
    minimumFractionDigits: amount.includes('.') ? 2 : 0,
    maximumFractionDigits: maxDecimals,
    ...(currency === undefined ? {} : { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
  });
}

const length = 20;

/** A share of a whole (0 to 1) as a bar, which is empty or full only at exactly 0 or 1. */
export function progressBar(share: number): string {
  const clamped = Math.min(1, Math.max(0, share));
  const filled =
    clamped === 0 || clamped === 1
      ? clamped * length
      : Math.min(length - 1, Math.max(1, Math.round(clamped * length)));
  return `${'█'.repeat(filled)}${'░'.repeat(length - filled)}`;
}

/** A share of a whole as `42%`, which is 0% or 100% only at exactly 0 or 1. */
export function formatPercent(share: number): string {
  const clamped = Math.min(1, Math.max(0, share));
  return clamped === 0 || clamped === 1
    ? `${clamped * 100}%`
    : `${Math.min(99, Math.max(1, Math.round(clamped * 100)))}%`;
}
