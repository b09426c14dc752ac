/**
 * Preloaded into the app by `--import <this file>?ahead=<milliseconds>`: shifts the app's clock ahead without the app
 * knowing.
 */
const ahead = Number(new URL(import.meta.url).searchParams.get('ahead'));
const RealDate = Date;
const now = () => RealDate.now() + ahead;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
