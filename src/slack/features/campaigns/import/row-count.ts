import type { Stopwatch } from '../../../../lib/time/clock.ts';
import type { ReplaceView } from '../../../middleware/requests.ts';
import { showProgress } from '../../../notifier/progress.ts';
import { importingRecipientsView } from '../form/form-view.ts';

/** The number of rows that an import has read. */
export interface RowCount {
  report(rows: number): void;
  /** Shows the count and its changes. Returns a function that ends that and waits for the update in flight. */
  showIn(show: ReplaceView): () => Promise<void>;
}

/** Minimum time between two row counts that are shown, in milliseconds. */
const minShowInterval = 1_000;

export function createRowCount(elapsed: Stopwatch): RowCount {
  let rows = 0;
  let onRows: (rows: number) => void = () => {};
  return {
    report(count) {
      rows = count;
      onRows(count);
    },

    showIn(show) {
      let shownAt = elapsed();
      const progress = showProgress(
        (count) => show(importingRecipientsView(count)),
        1,
        Number.POSITIVE_INFINITY,
      );
      onRows = (count) => {
        if (elapsed() - shownAt > minShowInterval) {
          shownAt = elapsed();
          progress.report(count);
        }
      };
      onRows(rows);
      return () => {
        onRows = () => {};
        return progress.settled();
      };
    },
  };
}
