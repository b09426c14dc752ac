import type { DataUsage } from '../../../../provider/esims/esim-operations.ts';
import { formatPercent, progressBar } from '../../../block-kit/progress-bar.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';

/** The used data as a bar with its figures; without a bar if the provider omits one of them. */
export function usageBar({ dataTotalGigabyte: total, dataUsedGigabyte: used }: DataUsage): Markup {
  if (total === undefined || used === undefined) {
    return used === undefined
      ? mrkdwn`${gigabytes(total ?? 0)} in all · used: not known`
      : mrkdwn`${gigabytes(used)} used · total: not known`;
  }
  const share = total > 0 ? used / total : 1;
  const left = Math.max(0, total - used);
  return mrkdwn`${progressBar(share)}\n${formatPercent(share)} used · ${gigabytes(used)} of ${gigabytes(total)} · ${gigabytes(left)} left`;
}

function gigabytes(amount: number): string {
  return `${Number(amount.toFixed(3))} GB`;
}
