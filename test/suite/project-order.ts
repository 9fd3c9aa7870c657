import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createStreams } from '../../packages/testing/src/random.ts';

/**
 * What takes half a minute or more on two cores: started near the end, it would run on when every other file is done.
 */
const LONG = [
  'test/bot/every-answer',
  'test/chaos/chaos',
  'test/darkroom',
  'test/faults/delivery',
  'test/faults/process',
  'test/faults/service',
  'test/hostile-texts',
  'test/installation',
  'test/playground/page',
  'test/setup',
  'packages/image-service/test/forecast',
  'packages/image-service/test/killed',
  'packages/image-service/test/operator/account-deletion',
  'packages/image-service/test/restart',
  'packages/image-service/test/webhooks/webhooks',
  'packages/local-discord/test/page/files',
  'packages/local-discord/test/readme',
  'packages/sketch/test/difference',
];

/**
 * Files in a random order that follows from the seed, long ones first, project by project: Vitest keeps a worker, and
 * what it has imported, only while the next file is of the same project.
 */
export class ProjectOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = createStreams(this.ctx.config.sequence.seed)('files');
    const projects = this.ctx.projects.map(({ name }) => name);
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((path) => moduleId.includes(`/${path}`));
    return files
      .map((file) => ({
        file,
        project: projects.indexOf(file.project.name),
        turn: isLong(file) ? 0 : 1,
        place: random.next(),
      }))
      .sort((one, other) => one.project - other.project || one.turn - other.turn || one.place - other.place)
      .map(({ file }) => file);
  }
}
