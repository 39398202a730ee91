export interface HttpProxy {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface HttpProxyOptions {
  readonly port: number;
  readonly visitor?: string;
  readonly endsTls?: boolean;
  readonly replaces?: boolean;
}

export function startHttpProxy(options: HttpProxyOptions): Promise<HttpProxy>;
