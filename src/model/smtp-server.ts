/** Mail server that an installation sends with. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `start`: TLS from the first byte. `starttls`: the connection must become TLS before anything is sent. `off`: never. */
  readonly tls: 'start' | 'starttls' | 'off';
  /** `null`: it asks for none. */
  readonly login: { readonly user: string; readonly password: string } | null;
}
