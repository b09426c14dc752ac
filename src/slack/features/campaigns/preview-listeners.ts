import type { Starting, TestSending } from '../../../services/campaigns/campaigns.ts';
import { inBothZones } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { Asker, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { above } from '../../middleware/show.ts';
import { showProgress } from '../../notifier/progress.ts';
import type { KeptForms } from './kept-forms.ts';
import {
  checkedView,
  checkingView,
  sendingTestView,
  testCallback,
  testedView,
  testMetadata,
  testView,
} from './look-views.ts';
import { type Previews, previewGone, readWhen } from './preview.ts';
import { previewActions, previewCallback, previewMetadata, startedView } from './preview-view.ts';
import { lateLimitOf, readStartForm, startActions } from './start-inputs.ts';
import { statusView } from './status-view.ts';

/** Progress shows each time so many numbers more are checked. */
const step = 50;

/** The preview: what else can be looked at, and the start. */
export function listenToPreviews(
  listening: Listening,
  { services, telling, clock, stopping }: Tools,
  { forms, previews }: { forms: KeptForms; previews: Previews },
): void {
  const { campaigns, operations } = services;

  for (const actionId of Object.values(startActions)) {
    listening.action(actionId, async ({ asker, view }) => {
      if (view !== undefined) {
        const metadata = previewMetadata.parse(view.metadata);
        await view.replace(
          await previews.again(asker, metadata, readStartForm(view.filledIn(), metadata.origin)),
        );
      }
    });
  }

  listening.submission(previewCallback, async ({ asker, values, metadata }) => {
    const { id, origin, morning } = previewMetadata.parse(metadata);
    const { zone, workspaceId, personId } = asker;
    const form = readStartForm(values, origin);
    const when = readWhen(form, morning === undefined ? undefined : new Date(morning), zone, clock());
    if (!when.ok) {
      return { errors: { time: when.reason } };
    }
    const { start } = when;
    const place = form.inChannel ? form.channelId : undefined;
    const lateLimit = start === undefined ? undefined : lateLimitOf(form);
    const starting = await campaigns.start({
      workspaceId,
      personId,
      id,
      place,
      ...(start === undefined ? {} : { at: { time: start, zone } }),
      lateLimit,
    });
    return { view: viewOf(starting, asker) };
  });

  function viewOf(starting: Starting, { zone }: Asker) {
    switch (starting.kind) {
      case 'not_connected':
        throw new Refusal(mrkdwn`No provider key is connected any more. Nothing was sent.`);
      case 'gone':
        throw new Refusal(previewGone, { isFinal: true });
      case 'started': {
        const { campaign, first } = starting;
        const { startAt, place } = campaign;
        return first
          ? startedView(startAt === undefined ? undefined : inBothZones(startAt, zone), place)
          : statusView(campaign, campaigns.pace(campaign));
      }
    }
  }

  listening.action(previewActions.checkDnd, async (call) => {
    const { asker, value: id, view } = call;
    const { workspaceId, personId } = asker;
    const show = await above(call)(checkingView(0, undefined));
    let of: number | undefined;
    const progress = showProgress((done) => show(checkingView(done, of)), step, Number.POSITIVE_INFINITY);
    const checking = campaigns.checkDnd(
      { workspaceId, personId, id },
      {
        signal: stopping,
        progress(done, all) {
          of = all;
          progress.at(done);
        },
      },
    );
    const share = await checking.finally(progress.settled);
    const preview = await campaigns.preview(workspaceId, id, personId);
    if (share.kind === 'not_connected') {
      throw new Refusal(mrkdwn`No provider key is connected any more. Nothing was checked.`);
    }
    if (share.kind === 'gone' || preview === undefined) {
      throw new Refusal(previewGone, { isFinal: true });
    }
    const kept = forms.get(asker, id);
    if (kept !== undefined) {
      forms.keep(asker, id, { ...kept, dnd: share });
    }
    await show(checkedView(share, preview));
    if (view !== undefined) {
      const { origin } = previewMetadata.parse(view.metadata);
      await view.replace(previews.show(asker, preview, origin, readStartForm(view.values, origin)));
    }
  });

  listening.action(previewActions.test, async (call) => {
    const { asker, requestId, value: id } = call;
    await above(call)(testView({ id, key: requestKey(asker.workspaceId, requestId, 'test') }));
  });

  listening.submission(testCallback, async ({ asker: { workspaceId, personId }, values, metadata, soon }) => {
    const number = values.number?.text ?? '';
    const sending = campaigns.sendTest({ workspaceId, personId, number, ...testMetadata.parse(metadata) });
    const early = await soon(sending);
    if (early?.kind === 'fault') {
      return { errors: { number: early.fault } };
    }
    return { view: sendingTestView(), afterwards: async () => testOutcome(await sending) };
  });

  listening.closed(testCallback, async ({ asker, metadata }) => {
    await operations.cancel(asker.workspaceId, testMetadata.parse(metadata).key, asker.personId);
  });

  async function testOutcome(sending: TestSending) {
    switch (sending.kind) {
      case 'gone':
        throw new Refusal(previewGone, { isFinal: true });
      case 'not_connected':
        throw new Refusal(mrkdwn`No provider key is connected any more. Nothing was sent.`);
      case 'cancelled':
        throw new Refusal(mrkdwn`You cancelled this. Nothing was sent.`, { isFinal: true });
      case 'fault':
        throw new Refusal(mrkdwn`*Nothing was sent.* ${sending.fault}`);
      case 'performed':
        await telling.tell(sending.operation);
        return testedView(sending.operation);
    }
  }
}
