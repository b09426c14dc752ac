import { readIccid } from '../../../../domain/esims/iccid.ts';
import { start } from '../../../block-kit/paging.ts';
import type { Asker, CommandCall, Listening } from '../../../middleware/calls.ts';
import type { Tools } from '../../../middleware/context.ts';
import { notConnected } from '../../../middleware/require-connection.ts';
import { above, here, type Show } from '../../../middleware/show.ts';
import { esimActions } from '../../../navigation/esims.ts';
import { plansShower } from '../show-plans.ts';
import { esimStatusHelp } from './command.ts';
import { listenToHandingOver } from './handing-over-listeners.ts';
import { createLookup, keyGone } from './lookup.ts';
import { pickerCallback, pickerView, readPicked } from './picker-view.ts';
import { loadingStatus, statusView } from './status-view.ts';

/** Everything of `/esim-status`. */
export function listenToEsimStatus(listening: Listening, tools: Tools): void {
  const { workspaces, esims } = tools.services;
  const lookUp = createLookup(tools.services);
  const showPlans = plansShower(esims);
  listenToHandingOver(listening, tools, lookUp);

  async function viewOf({ workspaceId }: Asker, iccid: string) {
    const status = await esims.status(workspaceId, iccid);
    if (status === 'not_connected') {
      throw keyGone();
    }
    return statusView(status);
  }

  async function showStatus(show: Show, asker: Asker, iccid: string): Promise<void> {
    const replace = await show(loadingStatus());
    await replace(await viewOf(asker, iccid));
  }

  async function handle(call: CommandCall): Promise<void> {
    if ((await workspaces.connection(call.asker.workspaceId)) === undefined) {
      await call.reply(notConnected(call.asker, tools.commandPrefix));
      return;
    }
    const typed = call.text.trim();
    const read = readIccid(typed);
    if (read.ok) {
      await showStatus(call.open, call.asker, read.iccid);
    } else {
      await call.open(typed === '' ? pickerView() : pickerView(typed, read.reason));
    }
  }

  listening.command('esim-status', handle, () => esimStatusHelp(tools.commandPrefix));

  listening.action(esimActions.openStatus, async ({ open }) => {
    await open(pickerView());
  });

  listening.submission(pickerCallback, async ({ asker, values }) => {
    const picked = readPicked(values);
    return 'errors' in picked
      ? picked
      : { view: loadingStatus(), afterwards: () => viewOf(asker, picked.iccid) };
  });

  listening.action(esimActions.status, async (call) =>
    showStatus(above(call), call.asker, await lookUp(call.asker, call.value)),
  );

  listening.action(esimActions.statusHere, async (call) =>
    showStatus(here(call), call.asker, await lookUp(call.asker, call.value)),
  );

  listening.action(esimActions.topUpThis, async (call) => {
    const iccid = await lookUp(call.asker, call.value);
    await showPlans(here(call), call.asker, { use: { deed: 'top_up', iccid }, position: start });
  });
}
