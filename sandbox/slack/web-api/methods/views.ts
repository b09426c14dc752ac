import type { Json, JsonObject } from '../../../lib/json.ts';
import { ApiError } from '../../errors.ts';
import {
  findByExternalId,
  findView,
  openModal,
  publishHome,
  pushView,
  updateView,
  viewPayload,
} from '../../workspace/views.ts';
import type { HeldView, Workspace } from '../../workspace/workspace.ts';
import { type Arguments, type Methods, missing } from '../method.ts';
import { personIn } from './lookups.ts';

/** Slack: views.open, views.push, views.update, views.publish. */
export const views: Methods = {
  'views.open': {
    run: ({ workspace, triggers }, args) => {
      const view = viewIn(args);
      const triggerId = args.required('trigger_id');
      return answer(
        workspace,
        openModal(workspace, () => triggers.redeem(triggerId), view),
      );
    },
  },
  'views.push': {
    run: ({ workspace, triggers }, args) => {
      const view = viewIn(args);
      const triggerId = args.required('trigger_id');
      return answer(
        workspace,
        pushView(workspace, () => triggers.redeem(triggerId), view),
      );
    },
  },
  'views.update': {
    run: ({ workspace }, args) => {
      const view = viewIn(args);
      const externalId = args.text('external_id');
      const id = args.text('view_id');
      if (externalId === undefined && id === undefined) {
        throw missing('view_id');
      }
      const held =
        externalId === undefined ? findView(workspace, id) : findByExternalId(workspace, externalId);
      if (held?.type !== 'modal') {
        throw new ApiError('not_found');
      }
      return answer(workspace, updateView(workspace, held, view, args.text('hash')));
    },
  },
  'views.publish': {
    run: (slack, args) => {
      const view = viewIn(args);
      const person = personIn(slack, args.required('user_id'));
      if (!slack.manifest.homeTab) {
        throw new ApiError('not_enabled');
      }
      return answer(slack.workspace, publishHome(slack.workspace, person.id, view, args.text('hash')));
    },
  },
};

function viewIn(args: Arguments): Json {
  const view = args.json('view');
  if (view === undefined || view === null) {
    throw missing('view');
  }
  return view;
}

function answer(workspace: Workspace, held: HeldView): JsonObject {
  return { view: viewPayload(workspace, held) };
}
