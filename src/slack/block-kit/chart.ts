import type { Block } from '@slack/types';
import { clampText, limits } from './limits.ts';

interface ChartSegment {
  label: string;
  /** More than 0. */
  value: number;
}

/** A chart in a message. @slack/types has no type for it yet. Source: Slack: Block Kit reference, data visualization block. */
export interface ChartBlock extends Block {
  type: 'data_visualization';
  title: string;
  chart: { type: 'pie'; segments: ChartSegment[] };
}

const others = 'Others';

/**
 * Shares of a whole, largest first; Slack takes the chart in messages alone. A share of 0 is left out, and the smallest are
 * put together where there are too many. Without any share there is no chart.
 */
export function pieChart(title: string, shares: readonly ChartSegment[]): ChartBlock[] {
  const sorted = shares.filter(({ value }) => value > 0).sort((one, other) => other.value - one.value);
  if (sorted.length === 0) {
    return [];
  }
  const shown = sorted.length > limits.chartSegments ? sorted.slice(0, limits.chartSegments - 1) : sorted;
  const rest = sorted.slice(shown.length).reduce((sum, { value }) => sum + value, 0);
  const segments = [...shown, ...(rest > 0 ? [{ label: others, value: rest }] : [])];
  return [
    {
      type: 'data_visualization',
      title: clampText(title, limits.chartTitle),
      chart: {
        type: 'pie',
        segments: segments.map(({ label, value }) => ({ label: clampText(label, limits.chartLabel), value })),
      },
    },
  ];
}
