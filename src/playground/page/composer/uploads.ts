import type { WireUpload } from '../../wire.ts';

/** A file of the visitor's as the playground's server takes it. */
export async function readUpload(file: File): Promise<WireUpload> {
  const reader = new FileReader();
  const url = await new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return { name: file.name, base64: url.slice(url.indexOf(',') + 1) };
}
