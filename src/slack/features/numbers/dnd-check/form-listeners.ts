import type { NumberList } from '../../../../services/numbers/number-list.ts';
import { readPlace } from '../../../block-kit/place.ts';
import type { Listening } from '../../../middleware/calls.ts';
import type { Tools } from '../../../middleware/context.ts';
import { Refusal } from '../../../middleware/errors.ts';
import { showProgress } from '../../../notifier/progress.ts';
import type { Checking } from './checking.ts';
import { createReading, nothingChecked } from './reading.ts';
import { needsFile, reportView } from './report-views.ts';
import {
  checkCallback,
  checkFields,
  checkingView,
  checkMetadata,
  checkPlaceAction,
  checkView,
  openCheckAction,
  readingView,
} from './views.ts';

/** Progress shows each time so many numbers more are done. */
const step = 20;

/** The form of `/dnd-check`: numbers typed, pasted or in a file, and where to show the result. */
export function listenToCheckForm(listening: Listening, tools: Tools, checking: Checking): void {
  const read = createReading(tools);

  listening.action(openCheckAction, async ({ open }) => {
    await open(checkView('', { inChannel: false }, undefined));
  });

  listening.action(checkPlaceAction, async ({ view }) => {
    const { origin } = checkMetadata.parse(view?.metadata);
    const typed = view?.values[checkFields.numbers]?.text ?? '';
    await view?.replace(checkView(typed, readPlace(view.values, origin), origin));
  });

  listening.submission(checkCallback, async ({ asker, requestId, values, metadata, soon }) => {
    const reading = read(asker, values);
    const early = await soon(reading);
    if (early?.ok === false) {
      return { errors: early.faults };
    }
    const place = readPlace(values, checkMetadata.parse(metadata).origin);
    return {
      view: early === undefined ? readingView() : progressView(early.list)(0),
      afterwards: async (show) => {
        const given = await reading;
        if (!given.ok) {
          throw new Refusal(nothingChecked(given.faults));
        }
        const { list } = given;
        const viewAt = progressView(list);
        const progress = showProgress((done) => show(viewAt(done)), step, list.numbers.length);
        const request = { id: requestId, place, progress: progress.at };
        return reportView(await checking.check(asker, list, request).finally(progress.settled));
      },
    };
  });
}

function progressView(list: NumberList) {
  const file = needsFile(list);
  return (done: number) => checkingView(done, list.numbers.length, file);
}
