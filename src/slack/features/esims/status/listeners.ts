import { readIccid } from '../../../../domain/esims/iccid.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { notConnectedError, notConnectedMessage } from '../../../middleware/not-connected.ts';
import type { CommandRequest, ShowModal, User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { numbersOr } from '../../../middleware/unknown-subcommand.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { esimActions } from '../actions.ts';
import { canOrder, createEsimBrowser } from '../browse.ts';
import { requirePurchases } from '../purchases.ts';
import { esimStatusHelp } from './command.ts';
import { createFindIccid } from './find-iccid.ts';
import { pickerCallback, pickerView, readPicked } from './picker-view.ts';
import { registerEsimSharing } from './share-listeners.ts';
import { esimStatusView, loadingStatus } from './status-view.ts';

/** `/esim-status`: the status of an eSIM, its top-up, and what installs it. */
export function registerEsimStatus(router: Router, context: AppContext): void {
  const { workspaces, esims } = context.services;
  const findIccid = createFindIccid(context.services);
  const { showTopUps } = createEsimBrowser(context.services);
  registerEsimSharing(router, context, findIccid);

  async function viewOf(user: User, iccid: string) {
    const status = await esims.status(user.workspaceId, iccid);
    if (status === 'not_connected') {
      throw notConnectedError();
    }
    return esimStatusView(status, { canOrder: await canOrder(user, workspaces) });
  }

  async function showStatus(show: ShowModal, user: User, iccid: string): Promise<void> {
    const replace = await show(loadingStatus());
    await replace(await viewOf(user, iccid));
  }

  async function handle(call: CommandRequest): Promise<void> {
    if ((await workspaces.connection(call.user.workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(call.user, context.settings.commandPrefix));
      return;
    }
    const typed = call.text.trim();
    const read = readIccid(typed);
    if (read.ok) {
      await showStatus(call.open, call.user, read.iccid);
    } else {
      await call.open(typed === '' ? pickerView() : pickerView(typed, read.reason));
    }
  }

  router.command(
    'esim-status',
    'esim_status',
    handle,
    () => esimStatusHelp(context.settings.commandPrefix),
    numbersOr(),
  );

  router.action(openActions.esimStatus, 'esim_status', async ({ open }) => {
    await open(pickerView());
  });

  router.submission(pickerCallback, 'esim_status', async ({ user, values }) => {
    const picked = readPicked(values);
    return 'errors' in picked
      ? picked
      : { view: loadingStatus(), background: () => viewOf(user, picked.iccid) };
  });

  router.action(esimActions.status, 'esim_status', async (call) =>
    showStatus(call.push, call.user, await findIccid(call.user, call.value)),
  );

  router.action(esimActions.statusHere, 'esim_status', async (call) =>
    showStatus(call.show, call.user, await findIccid(call.user, call.value)),
  );

  router.action(esimActions.topUpThis, 'buy', async (call) => {
    await requirePurchases(context.services, call.user.workspaceId, context.settings.commandPrefix);
    const iccid = await findIccid(call.user, call.value);
    await showTopUps(call.show, call.user, iccid);
  });
}
