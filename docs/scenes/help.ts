import { commands } from '../../src/slack/app/commands.ts';
import type { Stage } from './stage.ts';

/** The help of each command, a few to a picture. */
export async function help({ desk, camera }: Stage): Promise<void> {
  await desk.page.getByRole('button', { name: 'campaigns' }).first().click();
  await desk.page.setViewportSize({ width: 1280, height: 1800 });
  const names = commands.map(({ name }) => name).filter((name) => name !== 'sms');
  const half = Math.ceil(names.length / 2);
  for (const [picture, some] of [
    ['help', names.slice(0, half)],
    ['help-more', names.slice(half)],
  ] as const) {
    const messages = desk.page.locator('.message');
    const before = await messages.count();
    for (const name of some) {
      const answers = await messages.count();
      await desk.types(`/${name} help`);
      await messages.nth(answers).waitFor();
    }
    await camera.together(picture, (await messages.all()).slice(before));
  }
  await desk.page.setViewportSize({ width: 1280, height: 800 });
}
