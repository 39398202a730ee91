<?php

declare(strict_types=1);

namespace Gatehouse\Laravel;

use Illuminate\Contracts\Validation\Rule;
use Illuminate\Contracts\Validation\ValidatorAwareRule;

/** A rule for the field with the address: Gatehouse decides once all other rules of the form have passed. */
final class AllowedSignup implements Rule, ValidatorAwareRule
{
    /** @var \Illuminate\Validation\Validator */
    private $validator;

    /** @param \Illuminate\Validation\Validator $validator */
    public function setValidator($validator): self
    {
        $this->validator = $validator;

        return $this;
    }

    /**
     * @param string $attribute
     * @param mixed $value
     */
    public function passes($attribute, $value): bool
    {
        $this->validator->after(static function ($validator) use ($attribute, $value): void {
            // A form that is refused anyway costs no credit.
            if ($validator->errors()->isNotEmpty()) {
                return;
            }
            $decision = app(SignupProtection::class)->check(request(), $value);
            foreach (SignupProtection::errors($decision, $attribute) as $field => $text) {
                $validator->errors()->add($field, $text);
            }
        });

        return true;
    }

    public function message(): string
    {
        return '';
    }
}
