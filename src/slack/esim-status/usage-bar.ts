import type { DataUsage } from '../../provider/esim-records.ts';
import { type Markup, mrkdwn } from '../blocks/text.ts';

const length = 20;

/** How much data is used, as a bar with its figures; as figures alone where one of them is not there. */
export function usageBar({ dataTotalGigabyte: total, dataUsedGigabyte: used }: DataUsage): Markup {
  if (total === undefined || used === undefined) {
    return used === undefined
      ? mrkdwn`${gigabytes(total ?? 0)} in all; how much is used, the provider does not say.`
      : mrkdwn`${gigabytes(used)} used; of how much, the provider does not say.`;
  }
  const share = total > 0 ? Math.min(1, Math.max(0, used / total)) : 1;
  // What is used shows as soon as there is any, and what is left as long as there is any.
  const filled =
    share === 0 || share === 1
      ? share * length
      : Math.min(length - 1, Math.max(1, Math.round(share * length)));
  const bar = `${'█'.repeat(filled)}${'░'.repeat(length - filled)}`;
  const left = Math.max(0, total - used);
  return mrkdwn`${bar}\n${percent(share)} used · ${gigabytes(used)} of ${gigabytes(total)} · ${gigabytes(left)} left`;
}

function gigabytes(amount: number): string {
  return `${Number(amount.toFixed(3))} GB`;
}

/** Neither 0 % nor 100 % unless it is. */
function percent(share: number): string {
  if (share === 0 || share === 1) {
    return `${share * 100} %`;
  }
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))} %`;
}
