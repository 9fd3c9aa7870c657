import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createStreams } from '../../packages/testing/src/random.ts';

/**
 * Files in a random order that follows from the seed, project by project: Vitest keeps a worker, and what it has imported,
 * only while the next file is of the same project.
 */
export class ProjectOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = createStreams(this.ctx.config.sequence.seed)('files');
    const projects = this.ctx.projects.map(({ name }) => name);
    return files
      .map((file) => ({ file, project: projects.indexOf(file.project.name), place: random.next() }))
      .sort((one, other) => one.project - other.project || one.place - other.place)
      .map(({ file }) => file);
  }
}
