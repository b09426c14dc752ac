import { connect, createServer } from 'node:net';
import { seeded } from '../../long/soak/random-faults.ts';
import { startRelay, withPort } from '../http/relay.ts';

/** A way to PostgreSQL that loses answers, or holds requests up. Of a lost answer, what was asked is done, and nobody hears of it. */
export interface LossyWay {
  /** The database's URL by this way. */
  url: string;
  /**
   * From now on, of the requests with one of these words one of `every` that follow one another loses its answer, with its
   * connection. Which one is drawn: otherwise what is done in as many steps would lose the same step for good.
   */
  lose(words: readonly string[], every: number): void;
  /** How many answers were lost. */
  lost(): number;
  /** Holds up what is sent by a connection from its first request with this word, until `release`. */
  hold(word: string): { release(): void };
}

export async function startLossyWay(
  test: { after(end: () => void): void },
  database: string,
): Promise<LossyWay> {
  const target = new URL(database);
  let held: string | undefined;
  const waiting: (() => void)[] = [];
  let rule: { words: readonly string[]; every: number } | undefined;
  const random = seeded(14);
  let met = 0;
  let drawn = 0;
  let lost = 0;
  const port = await startRelay(test, (join) =>
    createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      let losing = false;
      let isHeld = false;
      join(near, far);
      near.on('data', (sent: Buffer) => {
        if (rule?.words.some((words) => sent.includes(words))) {
          if (met % rule.every === 0) {
            drawn = met + Math.floor(random() * rule.every);
          }
          losing ||= met === drawn;
          met += 1;
        }
        isHeld ||= held !== undefined && sent.includes(held);
        if (isHeld) {
          near.pause();
          waiting.push(() => {
            isHeld = false;
            far.write(sent);
            near.resume();
          });
        } else {
          far.write(sent);
        }
      });
      far.on('data', (answer: Buffer) => {
        // PostgreSQL: the last message of an answer is ReadyForQuery; by then it is on the disk.
        const isWhole = answer.at(-6) === 'Z'.charCodeAt(0);
        if (!losing) {
          near.write(answer);
        } else if (isWhole) {
          lost += 1;
          near.destroy();
        }
      });
    }),
  );
  return {
    url: withPort(database, port),
    lose(words, every) {
      rule = { words, every };
      met = 0;
    },
    lost: () => lost,
    hold(word) {
      held = word;
      return {
        release() {
          held = undefined;
          for (const go of waiting.splice(0)) {
            go();
          }
        },
      };
    },
  };
}
