import type { z } from 'zod';
import type { Permission } from '../../domain/access/roles.ts';
import type { PagingActions } from '../block-kit/paging.ts';
import type { ActionRequest } from './requests.ts';
import type { Router } from './router/router.ts';

/** Registers *Newest*, *Previous* and *Next* of a list. `show` gets the position that the button leads to. */
export function onPaging<Position>(
  router: Router,
  actionIds: PagingActions,
  needed: Permission,
  positions: z.ZodType<Position>,
  show: (call: ActionRequest, position: Position) => Promise<void>,
): void {
  for (const actionId of Object.values<string>({ ...actionIds })) {
    router.action(actionId, needed, (call) => show(call, positions.parse(JSON.parse(call.value))));
  }
}
