import { commands } from '../../src/slack/app/manifest.ts';
import type { Stage } from './stage.ts';

/** The help of each command, a few to a picture. */
export async function help({ pageUser, camera }: Stage): Promise<void> {
  await pageUser.page.getByRole('button', { name: 'campaigns' }).first().click();
  await pageUser.page.setViewportSize({ width: 1280, height: 1800 });
  const names = commands.map(({ name }) => name).filter((name) => name !== 'sms');
  const half = Math.ceil(names.length / 2);
  for (const [picture, some] of [
    ['help', names.slice(0, half)],
    ['help-more', names.slice(half)],
  ] as const) {
    const messages = pageUser.page.locator('.message');
    const before = await messages.count();
    for (const name of some) {
      const answers = await messages.count();
      await pageUser.types(`/${name} help`);
      await messages.nth(answers).waitFor();
    }
    await camera.together(picture, (await messages.all()).slice(before));
  }
  await pageUser.page.setViewportSize({ width: 1280, height: 800 });
}
