import { type ReadNumbers, readNumbers } from '../../rules/read-numbers.ts';
import { mostRecipients, nameInvalid } from '../../services/message-form.ts';
import type { CheckedNumber } from '../../services/numbers.ts';
import { type PlaceChoice, readPlace } from '../blocks/place.ts';
import { type Markup, mrkdwn } from '../blocks/text.ts';
import { Refusal, troubleMessage } from '../errors.ts';
import type { Asker, CommandCall, Listening } from '../listening/calls.ts';
import { requestKey } from '../request-key.ts';
import { notConnected } from '../settings/not-connected.ts';
import { composeView } from '../sms/compose-view.ts';
import type { Tools } from '../tools.ts';
import { dndCheckHelp } from './command.ts';
import {
  channelReport,
  checkCallback,
  checkingMessage,
  checkingView,
  checkMetadata,
  checkPlaceAction,
  checkView,
  openCheckAction,
  type Report,
  reportMessage,
  reportView,
  routeFor,
  sendToAction,
} from './views.ts';

const progressEvery = 20;

/** `/dnd-check`: who is on Do-Not-Disturb, and which route reaches whom. */
export function listenToDndCheck(listening: Listening, { services, telling, commandPrefix }: Tools): void {
  const { workspaces, numbers: numberService, messaging } = services;

  async function handle(call: CommandCall): Promise<void> {
    const { workspaceId } = call.asker;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnected(call.asker, commandPrefix));
      return;
    }
    if (call.text.trim() === '') {
      await call.open(checkView('', { inChannel: false, channelId: call.channelId }, call.channelId));
      return;
    }
    const read = await readTyped(workspaceId, call.text);
    const fault = faultOf(read);
    if (fault !== undefined) {
      await call.reply(troubleMessage(mrkdwn`*Nothing was checked.* ${fault}`));
      return;
    }
    await call.reply(checkingMessage(read.numbers.length));
    await call.reply(reportMessage(await check(call.asker, read, call.requestId)));
  }

  async function readTyped(workspaceId: string, text: string): Promise<ReadNumbers> {
    const { country } = await workspaces.defaults(workspaceId);
    return readNumbers(text, country);
  }

  async function check(
    asker: Asker,
    read: ReadNumbers,
    requestId: string,
    progress?: (done: number) => void,
  ): Promise<Report> {
    const { workspaceId, personId } = asker;
    const report = await numberService.checkDnd(workspaceId, read.numbers, progress && { progress });
    if (report.kind === 'not_connected') {
      throw new Refusal(keyGone);
    }
    const draftId = requestKey(workspaceId, requestId, 'dnd');
    const { senderId } = await workspaces.defaults(workspaceId);
    await messaging.save(workspaceId, draftId, personId, {
      recipients: read.numbers,
      route: routeFor(report.numbers),
      text: '',
      ...(senderId === undefined ? {} : { senderId }),
    });
    return { numbers: report.numbers, duplicates: read.duplicates, draftId };
  }

  async function post(asker: Asker, place: PlaceChoice, checked: readonly CheckedNumber[]) {
    return place.channelId === undefined
      ? undefined
      : telling.post(place.channelId, channelReport(checked, asker.personId, place.showNumbers));
  }

  listening.command('dnd-check', handle, () => dndCheckHelp(commandPrefix));

  listening.action(openCheckAction, async ({ open }) => {
    await open(checkView('', { inChannel: false }, undefined));
  });

  listening.action(checkPlaceAction, async ({ view }) => {
    const { origin } = checkMetadata.parse(view?.metadata);
    await view?.replace(checkView(view.values.numbers?.text ?? '', readPlace(view.values, origin), origin));
  });

  listening.submission(checkCallback, async ({ asker, viewId, values, metadata }) => {
    const read = await readTyped(asker.workspaceId, values.numbers?.text ?? '');
    const fault = faultOf(read);
    if (fault !== undefined) {
      return { errors: { numbers: fault } };
    }
    const place = readPlace(values, checkMetadata.parse(metadata).origin);
    const total = read.numbers.length;
    return {
      view: checkingView(0, total),
      afterwards: async (show) => {
        const report = await check(asker, read, viewId, (done) => {
          if (done % progressEvery === 0 && done < total) {
            void show(checkingView(done, total));
          }
        });
        const problem = place.inChannel ? await post(asker, place, report.numbers) : undefined;
        return reportView(report, problem);
      },
    };
  });

  listening.action(sendToAction, async (call) => {
    const { workspaceId, personId } = call.asker;
    const { draft } = await messaging.find(workspaceId, call.value, personId);
    if (draft === undefined) {
      throw new Refusal(mrkdwn`This check is more than a day old. Check the numbers again.`);
    }
    const view = composeView(
      {
        recipients: draft.content.recipients.join('\n'),
        senderId: draft.content.senderId,
        route: draft.content.route,
        text: draft.content.text,
        place: { inChannel: false, channelId: call.channelId },
      },
      {
        draftId: requestKey(workspaceId, call.requestId),
        ...(call.channelId === undefined ? {} : { origin: call.channelId }),
      },
    );
    await (call.view === undefined ? call.open(view) : call.push(view));
  });
}

const keyGone: Markup = mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was checked.`;

function faultOf(read: ReadNumbers): string | undefined {
  if (read.invalid.length > 0) {
    return nameInvalid(read.invalid);
  }
  if (read.numbers.length === 0) {
    return 'Enter at least one phone number.';
  }
  if (read.numbers.length > mostRecipients) {
    return `${read.numbers.length} numbers are too many: check up to ${mostRecipients} at a time.`;
  }
  return undefined;
}
