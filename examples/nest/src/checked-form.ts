/** Objections of the application itself to a form; use your `ValidationPipe` instead. */
import { HttpException, Injectable, type PipeTransform } from '@nestjs/common';

export interface SignupForm {
  readonly email?: string;
  readonly password: string;
}

const MIN_PASSWORD_LENGTH = 12;

@Injectable()
export class CheckedForm implements PipeTransform {
  transform(form: SignupForm | undefined): SignupForm {
    if (form !== undefined && String(form.password ?? '').length >= MIN_PASSWORD_LENGTH) return form;
    throw new HttpException(`The password needs at least ${MIN_PASSWORD_LENGTH} characters.`, 422);
  }
}
