import type { GraphNode } from '@darkroom/image-api';

/** Where a task's pictures are saved below the server's output folder; the server adds a number. */
export const filePrefix = (taskId: string): string => `darkroom/${taskId}`;

/** Saves the pictures of a node. */
export const saveNode = (taskId: string, node: string): GraphNode => ({
  class_type: 'SaveImage',
  inputs: { images: [node, 0], filename_prefix: filePrefix(taskId) },
});
